// name: cass_cudnn_batch_norm_ex
// provides: cass_cudnnBatchNormOps_t, cass_CUDNN_BATCHNORM_OPS_BN, cass_CUDNN_BATCHNORM_OPS_BN_ACTIVATION, cass_CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, cass_cudnnBatchNormalizationForwardTrainingEx, cass_cudnnBatchNormalizationBackwardEx, cass_cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize, cass_cudnnGetBatchNormalizationBackwardExWorkspaceSize, cass_cudnnGetBatchNormalizationTrainingExReserveSpaceSize
// replaces: cudnnBatchNormOps_t, CUDNN_BATCHNORM_OPS_BN, CUDNN_BATCHNORM_OPS_BN_ACTIVATION, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, cudnnBatchNormalizationForwardTrainingEx, cudnnBatchNormalizationBackwardEx, cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize, cudnnGetBatchNormalizationBackwardExWorkspaceSize, cudnnGetBatchNormalizationTrainingExReserveSpaceSize
// requires: cass_cudnn_batch_norm, cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Batch normalisation with a sum and an activation behind it, one operation after the other; ReLU and the identity alone, as in cuDNN.
// source: cuDNN developer guide, cudnnBatchNormalizationForwardTrainingEx; miopen/miopen.h of ROCm 6.4
typedef enum { cass_CUDNN_BATCHNORM_OPS_BN = 0, cass_CUDNN_BATCHNORM_OPS_BN_ACTIVATION = 1, cass_CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION = 2 } cass_cudnnBatchNormOps_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(miopenHandle_t handle, miopenBatchNormMode_t mode, cass_cudnnBatchNormOps_t ops, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t zDesc, const miopenTensorDescriptor_t yDesc, const miopenTensorDescriptor_t scaleDesc, const miopenActivationDescriptor_t activation, size_t* bytes)
{
    (void)handle, (void)mode, (void)ops, (void)xDesc, (void)zDesc, (void)yDesc, (void)scaleDesc, (void)activation;
    *bytes = 0;
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetBatchNormalizationBackwardExWorkspaceSize(miopenHandle_t handle, miopenBatchNormMode_t mode, cass_cudnnBatchNormOps_t ops, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t yDesc, const miopenTensorDescriptor_t dyDesc, const miopenTensorDescriptor_t dzDesc, const miopenTensorDescriptor_t dxDesc, const miopenTensorDescriptor_t scaleDesc, const miopenActivationDescriptor_t activation, size_t* bytes)
{
    (void)handle, (void)mode, (void)ops, (void)xDesc, (void)yDesc, (void)dyDesc, (void)dzDesc, (void)dxDesc, (void)scaleDesc, (void)activation;
    *bytes = 0;
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetBatchNormalizationTrainingExReserveSpaceSize(miopenHandle_t handle, miopenBatchNormMode_t mode, cass_cudnnBatchNormOps_t ops, const miopenActivationDescriptor_t activation, const miopenTensorDescriptor_t xDesc, size_t* bytes)
{
    (void)handle, (void)mode, (void)ops, (void)activation, (void)xDesc;
    *bytes = 0;
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnBatchNormalizationForwardTrainingEx(miopenHandle_t handle, miopenBatchNormMode_t mode, cass_cudnnBatchNormOps_t ops, const void* alpha, const void* beta, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t zDesc, const void* z, const miopenTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t scaleDesc, const void* scale, const void* bias, double factor, void* mean, void* variance, double epsilon, void* savedMean, void* savedInverse, miopenActivationDescriptor_t activation, void* space, size_t bytes, void* reserve, size_t reserved)
{
    const float one = 1.0f, none = 0.0f;
    miopenStatus_t status;
    (void)space, (void)bytes, (void)reserve, (void)reserved;
    if (ops != cass_CUDNN_BATCHNORM_OPS_BN && (cass_dnn_number(yDesc, alpha) != 1.0f || cass_dnn_number(yDesc, beta) != 0.0f))
        return miopenStatusNotImplemented;
    status = cass_cudnnBatchNormalizationForwardTraining(handle, mode, alpha, beta, xDesc, x, yDesc, y, scaleDesc, scale, bias, factor, mean, variance, epsilon, savedMean, savedInverse);
    if (status == miopenStatusSuccess && ops == cass_CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION)
        status = miopenOpTensor(handle, miopenTensorOpAdd, &one, yDesc, y, &one, zDesc, z, &none, yDesc, y);
    if (status == miopenStatusSuccess && ops != cass_CUDNN_BATCHNORM_OPS_BN)
        status = miopenActivationForward(handle, activation, &one, yDesc, y, &none, yDesc, y);
    return status;
}
/* The gradient of ReLU is known by the sign of y, so that what went into it need not be kept. */
CASS_DNN_INLINE miopenStatus_t cass_cudnnBatchNormalizationBackwardEx(miopenHandle_t handle, miopenBatchNormMode_t mode, cass_cudnnBatchNormOps_t ops, const void* alphaData, const void* betaData, const void* alphaParam, const void* betaParam, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t yDesc, const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t dzDesc, void* dz, const miopenTensorDescriptor_t dxDesc, void* dx, const miopenTensorDescriptor_t scaleDesc, const void* scale, const void* bias, void* scaleDiff, void* biasDiff, double epsilon, const void* savedMean, const void* savedInverse, miopenActivationDescriptor_t activation, void* space, size_t bytes, void* reserve, size_t reserved)
{
    const float one = 1.0f, none = 0.0f;
    miopenStatus_t status = miopenStatusSuccess;
    (void)bias, (void)space, (void)bytes, (void)reserve, (void)reserved;
    if (ops != cass_CUDNN_BATCHNORM_OPS_BN) {
        miopenActivationMode_t kind = miopenActivationRELU;
        double numbers[3];
        void* inner = NULL;
        status = miopenGetActivationDescriptor(activation, &kind, &numbers[0], &numbers[1], &numbers[2]);
        if (status == miopenStatusSuccess && kind != miopenActivationRELU && kind != miopenActivationPASTHRU)
            status = miopenStatusNotImplemented;
        if (status == miopenStatusSuccess)
            status = cass_dnn_memory(handle, 5, cass_dnn_bytes(dyDesc), &inner);
        if (status == miopenStatusSuccess)
            status = miopenActivationBackward(handle, activation, &one, yDesc, y, dyDesc, dy, yDesc, y, &none, dyDesc, inner);
        if (status == miopenStatusSuccess && ops == cass_CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION)
            status = miopenTransformTensor(handle, &one, dyDesc, inner, &none, dzDesc, dz);
        dy = inner;
    }
    return status == miopenStatusSuccess ? cass_cudnnBatchNormalizationBackward(handle, mode, alphaData, betaData, alphaParam, betaParam, xDesc, x, dyDesc, dy, dxDesc, dx, scaleDesc, scale, scaleDiff, biasDiff, epsilon, savedMean, savedInverse) : status;
}
