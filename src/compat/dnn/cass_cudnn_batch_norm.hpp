// name: cass_cudnn_batch_norm
// provides: cass_CUDNN_BN_MIN_EPSILON, cass_dnn_normalizes, cass_cudnnBatchNormalizationForwardTraining, cass_cudnnBatchNormalizationForwardInference, cass_cudnnBatchNormalizationBackward
// replaces: CUDNN_BN_MIN_EPSILON, cudnnBatchNormalizationForwardTraining, cudnnBatchNormalizationForwardInference, cudnnBatchNormalizationBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h, miopen/version.h
// summary: Batch normalisation with cuDNN's scalings, those of the gradients of scale and bias among them; before MIOpen 3.3 tensors whose channels lie last are refused, which it takes as NCHW.
// source: cuDNN developer guide, cudnnBatchNormalizationBackward; cudnn_ops.h of cuDNN 9; batchnormocl.cpp of MIOpen 6.4, which refuses scalings other than 1 and 0; ROCm/MIOpen#2012: no NHWC before the kernels of release 3.3
#define cass_CUDNN_BN_MIN_EPSILON 0.0
CASS_DNN_INLINE miopenStatus_t cass_dnn_normalizes(miopenTensorDescriptor_t tensor)
{
#if MIOPEN_VERSION_MAJOR < 3 || (MIOPEN_VERSION_MAJOR == 3 && MIOPEN_VERSION_MINOR < 3)
    return cass_dnn_plain(tensor);
#else
    (void)tensor;
    return miopenStatusSuccess;
#endif
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnBatchNormalizationForwardTraining(miopenHandle_t handle, miopenBatchNormMode_t mode, const void* alpha, const void* beta, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t scaleDesc, const void* scale, const void* bias, double factor, void* mean, void* variance, double epsilon, void* savedMean, void* savedInverse)
{
    float one = 1.0f, none = 0.0f;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_normalizes(xDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, yDesc, beta, y, &to);
    if (status == miopenStatusSuccess)
        status = miopenBatchNormalizationForwardTraining(handle, mode, &one, &none, xDesc, x, yDesc, to, scaleDesc, (void*)scale, (void*)bias, factor, mean, variance, epsilon, savedMean, savedInverse);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, yDesc, alpha, to, beta, y) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnBatchNormalizationForwardInference(miopenHandle_t handle, miopenBatchNormMode_t mode, const void* alpha, const void* beta, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t scaleDesc, const void* scale, const void* bias, const void* mean, const void* variance, double epsilon)
{
    float one = 1.0f, none = 0.0f;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_normalizes(xDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, yDesc, beta, y, &to);
    if (status == miopenStatusSuccess)
        status = miopenBatchNormalizationForwardInference(handle, mode, &one, &none, xDesc, x, yDesc, to, scaleDesc, (void*)scale, (void*)bias, (void*)mean, (void*)variance, epsilon);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, yDesc, alpha, to, beta, y) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnBatchNormalizationBackward(miopenHandle_t handle, miopenBatchNormMode_t mode, const void* alphaData, const void* betaData, const void* alphaParam, const void* betaParam, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t dxDesc, void* dx, const miopenTensorDescriptor_t scaleDesc, const void* scale, void* scaleDiff, void* biasDiff, double epsilon, const void* savedMean, const void* savedInverse)
{
    const float one = 1.0f, none = 0.0f;
    void *to = NULL, *toScale = NULL, *toBias = NULL;
    miopenStatus_t status = cass_dnn_normalizes(xDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, dxDesc, betaData, dx, &to);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 2, scaleDesc, betaParam, scaleDiff, &toScale);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 3, scaleDesc, betaParam, biasDiff, &toBias);
    if (status == miopenStatusSuccess)
        status = miopenBatchNormalizationBackward(handle, mode, &one, &none, &one, &none, xDesc, x, dyDesc, dy, dxDesc, to, scaleDesc, scale, toScale, toBias, epsilon, savedMean, savedInverse);
    if (status == miopenStatusSuccess)
        status = cass_dnn_finish(handle, scaleDesc, alphaParam, toScale, betaParam, scaleDiff);
    if (status == miopenStatusSuccess)
        status = cass_dnn_finish(handle, scaleDesc, alphaParam, toBias, betaParam, biasDiff);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, dxDesc, alphaData, to, betaData, dx) : status;
}
