// name: cass_cudnn_softmax
// provides: cass_cudnnSoftmaxForward, cass_cudnnSoftmaxBackward
// replaces: cudnnSoftmaxForward, cudnnSoftmaxBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Softmax with the arguments in cuDNN's order, for functions that are passed on.
// source: cuDNN developer guide, cudnnSoftmaxForward; miopen/miopen.h of ROCm 6.4, miopenSoftmaxForward_V2
CASS_DNN_INLINE miopenStatus_t cass_cudnnSoftmaxForward(miopenHandle_t handle, miopenSoftmaxAlgorithm_t algorithm, miopenSoftmaxMode_t mode, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y)
{
    const float by = cass_dnn_number(yDesc, alpha), old = cass_dnn_number(yDesc, beta);
    return miopenSoftmaxForward_V2(handle, &by, xDesc, x, &old, yDesc, y, algorithm, mode);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSoftmaxBackward(miopenHandle_t handle, miopenSoftmaxAlgorithm_t algorithm, miopenSoftmaxMode_t mode, const void* alpha, const miopenTensorDescriptor_t yDesc, const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx)
{
    const float by = cass_dnn_number(dxDesc, alpha), old = cass_dnn_number(dxDesc, beta);
    return miopenSoftmaxBackward_V2(handle, &by, yDesc, y, dyDesc, dy, &old, dxDesc, dx, algorithm, mode);
}
