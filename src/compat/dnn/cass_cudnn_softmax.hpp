// name: cass_cudnn_softmax
// provides: cass_cudnnSoftmaxForward, cass_cudnnSoftmaxBackward
// replaces: cudnnSoftmaxForward, cudnnSoftmaxBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Softmax of tensors in either format, with the arguments in cuDNN's order; MIOpen takes each tensor as NCHW.
// source: cuDNN developer guide, cudnnSoftmaxForward; miopen/miopen.h of ROCm 6.4, miopenSoftmaxForward_V2; MIOpenSoftmax.cl of MIOpen 6.3
/* The descriptor to give in the place of one whose channels lie last; NULL where MIOpen reads that itself. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_softmax_places(miopenTensorDescriptor_t tensor, miopenSoftmaxMode_t mode, miopenTensorDescriptor_t* places)
{
    *places = NULL;
    if (mode == MIOPEN_SOFTMAX_MODE_CHANNEL && cass_dnn_plain(tensor) != miopenStatusSuccess)
        return cass_dnn_places(tensor, places);
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_dnn_softmax_end(miopenStatus_t status, miopenTensorDescriptor_t* places, int count)
{
    int at;
    for (at = 0; at < count; ++at)
        if (places[at])
            (void)miopenDestroyTensorDescriptor(places[at]);
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSoftmaxForward(miopenHandle_t handle, miopenSoftmaxAlgorithm_t algorithm, miopenSoftmaxMode_t mode, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t yDesc, void* y)
{
    const float by = cass_dnn_number(yDesc, alpha), old = cass_dnn_number(yDesc, beta);
    miopenTensorDescriptor_t of[2] = {NULL, NULL};
    miopenStatus_t status = cass_dnn_alike(xDesc, yDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_softmax_places(xDesc, mode, &of[0]);
    if (status == miopenStatusSuccess)
        status = cass_dnn_softmax_places(yDesc, mode, &of[1]);
    if (status == miopenStatusSuccess && !of[0] != !of[1])
        status = miopenStatusNotImplemented;
    if (status == miopenStatusSuccess)
        status = miopenSoftmaxForward_V2(handle, &by, of[0] ? of[0] : xDesc, x, &old, of[1] ? of[1] : yDesc, y, algorithm, mode);
    return cass_dnn_softmax_end(status, of, 2);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSoftmaxBackward(miopenHandle_t handle, miopenSoftmaxAlgorithm_t algorithm, miopenSoftmaxMode_t mode, const void* alpha, const miopenTensorDescriptor_t yDesc, const void* y, const miopenTensorDescriptor_t dyDesc, const void* dy, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx)
{
    const float by = cass_dnn_number(dxDesc, alpha), old = cass_dnn_number(dxDesc, beta);
    miopenTensorDescriptor_t of[3] = {NULL, NULL, NULL};
    miopenStatus_t status = cass_dnn_alike(yDesc, dyDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_alike(yDesc, dxDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_softmax_places(yDesc, mode, &of[0]);
    if (status == miopenStatusSuccess)
        status = cass_dnn_softmax_places(dyDesc, mode, &of[1]);
    if (status == miopenStatusSuccess)
        status = cass_dnn_softmax_places(dxDesc, mode, &of[2]);
    if (status == miopenStatusSuccess && (!of[0] != !of[1] || !of[0] != !of[2]))
        status = miopenStatusNotImplemented;
    if (status == miopenStatusSuccess)
        status = miopenSoftmaxBackward_V2(handle, &by, of[0] ? of[0] : yDesc, y, of[1] ? of[1] : dyDesc, dy, &old, of[2] ? of[2] : dxDesc, dx, algorithm, mode);
    return cass_dnn_softmax_end(status, of, 3);
}
