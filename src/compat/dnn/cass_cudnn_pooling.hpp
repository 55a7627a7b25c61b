// name: cass_cudnn_pooling
// provides: cass_cudnnPoolingForward, cass_cudnnPoolingBackward
// replaces: cudnnPoolingForward, cudnnPoolingBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Pooling that keeps nothing from the forward pass: the backward pass finds the places of the maxima once more; scalings as cuDNN has them.
// source: cuDNN developer guide, cudnnPoolingBackward; miopen/miopen.h of ROCm 6.4; pooling_ocl.cpp of MIOpen, which refuses indices of 8 bits for more than 254 places
CASS_DNN_INLINE miopenStatus_t cass_cudnnPoolingForward(miopenHandle_t handle, miopenPoolingDescriptor_t pooling, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y)
{
    const float one = 1.0f, none = 0.0f;
    void *to = NULL, *space = NULL;
    size_t bytes = 0;
    miopenStatus_t status = cass_dnn_begin(handle, 0, yDesc, beta, y, &to);
    if (status == miopenStatusSuccess)
        status = miopenPoolingGetWorkSpaceSizeV2(pooling, yDesc, &bytes);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 1, bytes, &space);
    if (status == miopenStatusSuccess)
        status = miopenPoolingForward(handle, pooling, &one, xDesc, x, &none, yDesc, to, false, space, bytes);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, yDesc, alpha, to, beta, y) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnPoolingBackward(miopenHandle_t handle, miopenPoolingDescriptor_t pooling, const void* alpha, const miopenTensorDescriptor_t yDesc, const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx)
{
    const float one = 1.0f, none = 0.0f;
    void *to = NULL, *again = NULL, *space = NULL;
    size_t bytes = 0;
    miopenStatus_t status = cass_dnn_begin(handle, 0, dxDesc, beta, dx, &to);
    if (status == miopenStatusSuccess)
        status = miopenSetPoolingIndexType(pooling, miopenIndexUint32);
    if (status == miopenStatusSuccess)
        status = miopenPoolingGetWorkSpaceSizeV2(pooling, yDesc, &bytes);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 1, bytes, &space);
    if (status == miopenStatusSuccess && bytes > 0)
        status = cass_dnn_memory(handle, 2, cass_dnn_bytes(yDesc), &again);
    if (status == miopenStatusSuccess && bytes > 0)
        status = miopenPoolingForward(handle, pooling, &one, xDesc, x, &none, yDesc, again, true, space, bytes);
    if (status == miopenStatusSuccess)
        status = miopenPoolingBackward(handle, pooling, &one, yDesc, y, dyDesc, dy, xDesc, x, &none, dxDesc, to, space);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, dxDesc, alpha, to, beta, dx) : status;
}
