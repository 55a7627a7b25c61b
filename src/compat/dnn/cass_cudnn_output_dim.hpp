// name: cass_cudnn_output_dim
// provides: cass_cudnnGetConvolutionNdForwardOutputDim
// replaces: cudnnGetConvolutionNdForwardOutputDim
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: The shape of a convolution's result, for as many directions as its tensors have.
// source: cuDNN developer guide, cudnnGetConvolutionNdForwardOutputDim; miopen/miopen.h of ROCm 6.4, which writes the number of directions
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionNdForwardOutputDim(const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t wDesc, int size, int* dims)
{
    int found = 0, of_x = 0;
    miopenStatus_t status = miopenGetTensorDescriptorSize(xDesc, &of_x);
    if (status == miopenStatusSuccess && of_x != size)
        status = miopenStatusBadParm;
    return status == miopenStatusSuccess ? miopenGetConvolutionNdForwardOutputDim(convolution, xDesc, wDesc, &found, dims) : status;
}
