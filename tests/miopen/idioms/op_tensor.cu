// helper: an operation on two tensors
#include <cudnn.h>

void op_tensor(cudnnHandle_t h, cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t b, float *py, float *pb, float one, float zero)
{
    cudnnOpTensorDescriptor_t op;
    cudnnCreateOpTensorDescriptor(&op);
    cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN);
    cudnnOpTensor(h, op, &one, y, py, &one, b, pb, &zero, y, py);
    cudnnDestroyOpTensorDescriptor(op);
}
