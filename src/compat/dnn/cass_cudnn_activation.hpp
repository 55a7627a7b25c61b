// name: cass_cudnn_activation
// provides: cass_cudnnSetActivationDescriptor, cass_cudnnGetActivationDescriptor, cass_cudnnActivationForward, cass_cudnnActivationBackward
// replaces: cudnnSetActivationDescriptor, cudnnGetActivationDescriptor, cudnnActivationForward, cudnnActivationBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Activations with cuDNN's coefficient and scalings; MIOpen has no choice about NaN, and reads two formats as one: from one into another is refused.
// source: cuDNN developer guide, cudnnSetActivationDescriptor; miopen/miopen.h of ROCm 6.4, miopenActivationMode_t: beta * tanh(alpha * x), min(alpha, max(0, x)), alpha * (exp(x) - 1); fwd_0.cpp and bwd_0.cpp of MIOpen's solver/activ: tensors that are packed are read as rows
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetActivationDescriptor(miopenActivationDescriptor_t activation, miopenActivationMode_t mode, miopenNanPropagation_t nan, double coefficient)
{
    (void)nan;
    return miopenSetActivationDescriptor(activation, mode, mode == miopenActivationTANH ? 1.0 : coefficient, 1.0, 1.0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetActivationDescriptor(miopenActivationDescriptor_t activation, miopenActivationMode_t* mode, miopenNanPropagation_t* nan, double* coefficient)
{
    double beta = 0, gamma = 0;
    *nan = MIOPEN_PROPAGATE_NAN;
    return miopenGetActivationDescriptor(activation, mode, coefficient, &beta, &gamma);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnActivationForward(miopenHandle_t handle, miopenActivationDescriptor_t activation, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y)
{
    const float one = 1.0f, none = 0.0f;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_alike(xDesc, yDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, yDesc, beta, y, &to);
    if (status == miopenStatusSuccess)
        status = miopenActivationForward(handle, activation, &one, xDesc, x, &none, yDesc, to);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, yDesc, alpha, to, beta, y) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnActivationBackward(miopenHandle_t handle, miopenActivationDescriptor_t activation, const void* alpha, const miopenTensorDescriptor_t yDesc, const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx)
{
    const float one = 1.0f, none = 0.0f;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_alike(xDesc, yDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_alike(xDesc, dyDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_alike(xDesc, dxDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, dxDesc, beta, dx, &to);
    if (status == miopenStatusSuccess)
        status = miopenActivationBackward(handle, activation, &one, yDesc, y, dyDesc, dy, xDesc, x, &none, dxDesc, to);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, dxDesc, alpha, to, beta, dx) : status;
}
