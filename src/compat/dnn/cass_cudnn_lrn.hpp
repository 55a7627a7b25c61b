// name: cass_cudnn_lrn
// provides: cass_cudnnLRNCrossChannelForward, cass_cudnnLRNCrossChannelBackward
// replaces: cudnnLRNCrossChannelForward, cudnnLRNCrossChannelBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Normalisation over neighbouring channels that keeps nothing from the forward pass, which the backward pass makes once more; scalings as cuDNN has them.
// limit: Tensors whose channels lie last are refused, which MIOpen takes as NCHW.
// source: cuDNN developer guide, cudnnLRNCrossChannelBackward; lrn_ocl.cpp of MIOpen 6.4, which ignores the scalings and needs the forward pass's scales
CASS_DNN_INLINE miopenStatus_t cass_cudnnLRNCrossChannelForward(miopenHandle_t handle, miopenLRNDescriptor_t lrn, miopenLRNMode_t mode, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y)
{
    const float one = 1.0f, none = 0.0f;
    void* to = NULL;
    miopenStatus_t status = mode == miopenLRNCrossChannel ? cass_dnn_plain(xDesc) : miopenStatusBadParm;
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, yDesc, beta, y, &to);
    if (status == miopenStatusSuccess)
        status = miopenLRNForward(handle, lrn, &one, xDesc, x, &none, yDesc, to, false, NULL);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, yDesc, alpha, to, beta, y) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnLRNCrossChannelBackward(miopenHandle_t handle, miopenLRNDescriptor_t lrn, miopenLRNMode_t mode, const void* alpha, const miopenTensorDescriptor_t yDesc, const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx)
{
    const float one = 1.0f, none = 0.0f;
    void *to = NULL, *again = NULL, *space = NULL;
    size_t bytes = 0;
    miopenStatus_t status = mode == miopenLRNCrossChannel ? cass_dnn_plain(xDesc) : miopenStatusBadParm;
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, dxDesc, beta, dx, &to);
    if (status == miopenStatusSuccess)
        status = miopenLRNGetWorkSpaceSize(yDesc, &bytes);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 1, bytes, &space);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 2, cass_dnn_bytes(yDesc), &again);
    if (status == miopenStatusSuccess)
        status = miopenLRNForward(handle, lrn, &one, xDesc, x, &none, yDesc, again, true, space);
    if (status == miopenStatusSuccess)
        status = miopenLRNBackward(handle, lrn, &one, yDesc, y, dyDesc, dy, xDesc, x, &none, dxDesc, to, space);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, dxDesc, alpha, to, beta, dx) : status;
}
