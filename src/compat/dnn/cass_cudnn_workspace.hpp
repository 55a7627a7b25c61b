// name: cass_cudnn_workspace
// provides: cass_cudnnGetConvolutionForwardWorkspaceSize, cass_cudnnGetConvolutionBackwardDataWorkspaceSize, cass_cudnnGetConvolutionBackwardFilterWorkspaceSize
// replaces: cudnnGetConvolutionForwardWorkspaceSize, cudnnGetConvolutionBackwardDataWorkspaceSize, cudnnGetConvolutionBackwardFilterWorkspaceSize
// requires: cass_cudnn_algorithm, cass_dnn_find, cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Workspaces of convolutions: as much as any algorithm of MIOpen takes, whichever is asked for.
// source: miopen/miopen.h of ROCm 6.4, miopenConvolutionForwardGetWorkSpaceSize
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionForwardWorkspaceSize(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t wDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t yDesc, cass_cudnnConvolutionFwdAlgo_t algorithm, size_t* bytes)
{
    (void)algorithm;
    return cass_dnn_space(handle, 0, xDesc, wDesc, convolution, yDesc, bytes);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardDataWorkspaceSize(miopenHandle_t handle, const miopenTensorDescriptor_t wDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dxDesc, cass_cudnnConvolutionBwdDataAlgo_t algorithm, size_t* bytes)
{
    (void)algorithm;
    return cass_dnn_space(handle, 1, dyDesc, wDesc, convolution, dxDesc, bytes);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardFilterWorkspaceSize(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dwDesc, cass_cudnnConvolutionBwdFilterAlgo_t algorithm, size_t* bytes)
{
    (void)algorithm;
    return cass_dnn_space(handle, 2, dyDesc, xDesc, convolution, dwDesc, bytes);
}
