// name: cass_cudnn_rnn
// provides: cass_cudnnRNNForwardTraining, cass_cudnnRNNForwardInference, cass_cudnnRNNBackwardWeights, cass_dnn_first
// replaces: cudnnRNNForwardTraining, cudnnRNNForwardInference, cudnnRNNBackwardWeights
// requires: cass_dnn_scaling, cass_cudnn_dropout
// includes: miopen/miopen.h
// summary: Recurrent networks whose biases count without a first hidden state too, whose gradients of parameters are added to what is there, and which drop other elements with each training pass.
// limit: The gradients of the parameters need the workspace as cudnnRNNBackwardData left it: give both calls one, and write nothing to it between them.
// source: cuDNN developer guide, cudnnRNNBackwardWeights: the weight gradients are added; rnnocl.cpp of MIOpen 6.2, which sets dw to 0, reads the workspace of the backward pass, and adds the biases of the recurrence in the first step where hx is not null alone
/* The first hidden state: zeros where the program gives none. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_first(miopenHandle_t handle, miopenTensorDescriptor_t described, const void* given, const void** first)
{
    void* none = NULL;
    hipStream_t stream = NULL;
    const size_t bytes = given ? 0 : cass_dnn_bytes(described);
    miopenStatus_t status = cass_dnn_memory(handle, 4, bytes, &none);
    if (status == miopenStatusSuccess && bytes)
        status = miopenGetStream(handle, &stream);
    if (status == miopenStatusSuccess && bytes && hipMemsetAsync(none, 0, bytes, stream) != hipSuccess)
        status = miopenStatusInternalError;
    *first = given ? given : none;
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNForwardTraining(miopenHandle_t handle, const miopenRNNDescriptor_t network, int steps, const miopenTensorDescriptor_t* xDesc, const void* x, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenTensorDescriptor_t cxDesc, const void* cx, const miopenTensorDescriptor_t wDesc, const void* w, const miopenTensorDescriptor_t* yDesc, void* y, const miopenTensorDescriptor_t hyDesc, void* hy, const miopenTensorDescriptor_t cyDesc, void* cy, void* space, size_t bytes, void* reserve, size_t reserved)
{
    miopenDropoutDescriptor_t dropout = NULL;
    const void* first = NULL;
    miopenStatus_t status = cass_dnn_first(handle, hxDesc, hx, &first);
    if (status == miopenStatusSuccess)
        status = miopenRNNForwardTraining(handle, network, steps, xDesc, x, hxDesc, first, cxDesc, cx, wDesc, w, yDesc, y, hyDesc, hy, cyDesc, cy, space, bytes, reserve, reserved);
    if (status == miopenStatusSuccess)
        status = miopenGetRNNDescriptor_V2(network, NULL, NULL, &dropout, NULL, NULL, NULL, NULL, NULL, NULL);
    return status == miopenStatusSuccess && dropout ? cass_dnn_next_states(handle, dropout) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNForwardInference(miopenHandle_t handle, const miopenRNNDescriptor_t network, int steps, const miopenTensorDescriptor_t* xDesc, const void* x, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenTensorDescriptor_t cxDesc, const void* cx, const miopenTensorDescriptor_t wDesc, const void* w, const miopenTensorDescriptor_t* yDesc, void* y, const miopenTensorDescriptor_t hyDesc, void* hy, const miopenTensorDescriptor_t cyDesc, void* cy, void* space, size_t bytes)
{
    const void* first = NULL;
    miopenStatus_t status = cass_dnn_first(handle, hxDesc, hx, &first);
    return status == miopenStatusSuccess ? miopenRNNForwardInference(handle, network, steps, xDesc, x, hxDesc, first, cxDesc, cx, wDesc, w, yDesc, y, hyDesc, hy, cyDesc, cy, space, bytes) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNBackwardWeights(miopenHandle_t handle, const miopenRNNDescriptor_t network, int steps, const miopenTensorDescriptor_t* xDesc, const void* x, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenTensorDescriptor_t* yDesc, const void* y, const void* space, size_t bytes, const miopenTensorDescriptor_t dwDesc, void* dw, const void* reserve, size_t reserved)
{
    const float one = 1.0f, none = 0.0f;
    const void* first = NULL;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_first(handle, hxDesc, hx, &first);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 5, cass_dnn_bytes(dwDesc), &to);
    if (status == miopenStatusSuccess)
        status = miopenRNNBackwardWeights(handle, network, steps, xDesc, x, hxDesc, first, yDesc, y, dwDesc, to, (void*)space, bytes, reserve, reserved);
    return status == miopenStatusSuccess ? miopenOpTensor(handle, miopenTensorOpAdd, &one, dwDesc, dw, &one, dwDesc, to, &none, dwDesc, dw) : status;
}
