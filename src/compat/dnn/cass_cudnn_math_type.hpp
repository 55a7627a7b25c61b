// name: cass_cudnn_math_type
// provides: cass_CUDNN_DEFAULT_MATH, cass_CUDNN_TENSOR_OP_MATH, cass_CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION, cass_CUDNN_FMA_MATH, cass_cudnnMathType_t, cass_cudnnReorderType_t, cass_CUDNN_DEFAULT_REORDER, cass_CUDNN_NO_REORDER, cass_cudnnSetConvolutionMathType, cass_cudnnGetConvolutionMathType, cass_cudnnSetConvolutionReorderType, cass_cudnnGetConvolutionReorderType, cass_cudnnSetRNNMatrixMathType
// replaces: CUDNN_DEFAULT_MATH, CUDNN_TENSOR_OP_MATH, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION, CUDNN_FMA_MATH, cudnnMathType_t, cudnnReorderType_t, CUDNN_DEFAULT_REORDER, CUDNN_NO_REORDER, cudnnSetConvolutionMathType, cudnnGetConvolutionMathType, cudnnSetConvolutionReorderType, cudnnGetConvolutionReorderType, cudnnSetRNNMatrixMathType
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Choices of cuDNN that MIOpen has not, taken and without effect: MIOpen chooses its instructions by the type of the data.
// source: cuDNN developer guide, cudnnMathType_t; CUDNN_TENSOR_OP_MATH allows a faster instruction and asks for none
typedef enum { cass_CUDNN_DEFAULT_MATH = 0, cass_CUDNN_TENSOR_OP_MATH = 1, cass_CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION = 2, cass_CUDNN_FMA_MATH = 3 } cass_cudnnMathType_t;
typedef enum { cass_CUDNN_DEFAULT_REORDER = 0, cass_CUDNN_NO_REORDER = 1 } cass_cudnnReorderType_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetConvolutionMathType(miopenConvolutionDescriptor_t convolution, cass_cudnnMathType_t type)
{
    (void)type;
    return convolution ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionMathType(miopenConvolutionDescriptor_t convolution, cass_cudnnMathType_t* type)
{
    *type = cass_CUDNN_DEFAULT_MATH;
    return convolution ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetConvolutionReorderType(miopenConvolutionDescriptor_t convolution, cass_cudnnReorderType_t type)
{
    (void)type;
    return convolution ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionReorderType(miopenConvolutionDescriptor_t convolution, cass_cudnnReorderType_t* type)
{
    *type = cass_CUDNN_DEFAULT_REORDER;
    return convolution ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetRNNMatrixMathType(miopenRNNDescriptor_t network, cass_cudnnMathType_t type)
{
    (void)type;
    return network ? miopenStatusSuccess : miopenStatusBadParm;
}
