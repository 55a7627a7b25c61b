// helper: a type of mathematics
#include <cudnn.h>

void math_type(cudnnConvolutionDescriptor_t c)
{
    cudnnMathType_t type = CUDNN_TENSOR_OP_MATH;
    cudnnSetConvolutionMathType(c, type);
    cudnnSetConvolutionMathType(c, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION);
    if (cudnnGetConvolutionMathType(c, &type) != CUDNN_STATUS_SUCCESS) return;
}
