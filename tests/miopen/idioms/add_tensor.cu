// helper: a bias that is added
#include <cudnn.h>

void add_tensor(cudnnHandle_t h, cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t b, float *py, float *pb, float one)
{
    cudnnAddTensor(h, &one, b, pb, &one, y, py);
}
