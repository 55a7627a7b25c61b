// exact: a reduction
#include <cudnn.h>

void reduce_tensor(cudnnHandle_t h, cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t b, float *py, float *pb, void *space, float one, float zero)
{
    cudnnReduceTensorDescriptor_t r;
    size_t bytes;
    cudnnCreateReduceTensorDescriptor(&r);
    cudnnSetReduceTensorDescriptor(r, CUDNN_REDUCE_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES);
    cudnnGetReductionWorkspaceSize(h, r, y, b, &bytes);
    cudnnReduceTensor(h, r, nullptr, 0, space, bytes, &one, y, py, &zero, b, pb);
    cudnnDestroyReduceTensorDescriptor(r);
}
