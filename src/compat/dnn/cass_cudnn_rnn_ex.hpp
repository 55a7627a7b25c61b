// name: cass_cudnn_rnn_ex
// provides: cass_cudnnRNNForwardTrainingEx, cass_cudnnRNNForwardInferenceEx, cass_cudnnRNNBackwardDataEx, cass_cudnnRNNBackwardWeightsEx
// replaces: cudnnRNNForwardTrainingEx, cudnnRNNForwardInferenceEx, cudnnRNNBackwardDataEx, cudnnRNNBackwardWeightsEx
// requires: cass_dnn_scaling, cass_dnn_sequences
// includes: miopen/miopen.h
// summary: Recurrent networks on batches of sequences, packed or with padding, by the descriptors that cudnnSetRNNDataDescriptor sets.
// limit: The gradients of the parameters need the workspace as cudnnRNNBackwardDataEx left it: give both calls one, and write nothing to it between them. Inputs of attention are refused when they are given (miopenStatusNotImplemented).
// source: cuDNN developer guide, cudnnRNNForwardTrainingEx; miopen/miopen.h of ROCm 6.4, miopenRNNForward, miopenRNNBackwardSeqData, miopenRNNBackwardWeightsSeqTensor
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNForwardTrainingEx(miopenHandle_t handle, const miopenRNNDescriptor_t network, const miopenSeqTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenTensorDescriptor_t cxDesc, const void* cx, const miopenTensorDescriptor_t wDesc, const void* w, const miopenSeqTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t hyDesc, void* hy, const miopenTensorDescriptor_t cyDesc, void* cy, const miopenSeqTensorDescriptor_t kDesc, const void* keys, const miopenSeqTensorDescriptor_t aDesc, void* a, const miopenSeqTensorDescriptor_t iDesc, void* i, const miopenSeqTensorDescriptor_t qDesc, void* queries, void* space, size_t bytes, void* reserve, size_t reserved)
{
    (void)hyDesc;
    (void)cyDesc;
    if (kDesc || keys || aDesc || a || iDesc || i || qDesc || queries)
        return miopenStatusNotImplemented;
    return cass_dnn_forward_sequences(handle, network, miopenRNNTraining, xDesc, x, yDesc, y, hxDesc, hx, hy, cxDesc, cx, cy, w, cass_dnn_bytes(wDesc), space, bytes, reserve, reserved);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNForwardInferenceEx(miopenHandle_t handle, const miopenRNNDescriptor_t network, const miopenSeqTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenTensorDescriptor_t cxDesc, const void* cx, const miopenTensorDescriptor_t wDesc, const void* w, const miopenSeqTensorDescriptor_t yDesc, void* y, const miopenTensorDescriptor_t hyDesc, void* hy, const miopenTensorDescriptor_t cyDesc, void* cy, const miopenSeqTensorDescriptor_t kDesc, const void* keys, const miopenSeqTensorDescriptor_t aDesc, void* a, const miopenSeqTensorDescriptor_t iDesc, void* i, const miopenSeqTensorDescriptor_t qDesc, void* queries, void* space, size_t bytes)
{
    (void)hyDesc;
    (void)cyDesc;
    if (kDesc || keys || aDesc || a || iDesc || i || qDesc || queries)
        return miopenStatusNotImplemented;
    return cass_dnn_forward_sequences(handle, network, miopenRNNInference, xDesc, x, yDesc, y, hxDesc, hx, hy, cxDesc, cx, cy, w, cass_dnn_bytes(wDesc), space, bytes, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNBackwardDataEx(miopenHandle_t handle, const miopenRNNDescriptor_t network, const miopenSeqTensorDescriptor_t yDesc, const void* y, const miopenSeqTensorDescriptor_t dyDesc, const void* dy, const miopenSeqTensorDescriptor_t aDesc, const void* a, const miopenTensorDescriptor_t dhyDesc, const void* dhy, const miopenTensorDescriptor_t dcyDesc, const void* dcy, const miopenTensorDescriptor_t wDesc, const void* w, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenTensorDescriptor_t cxDesc, const void* cx, const miopenSeqTensorDescriptor_t dxDesc, void* dx, const miopenTensorDescriptor_t dhxDesc, void* dhx, const miopenTensorDescriptor_t dcxDesc, void* dcx, const miopenSeqTensorDescriptor_t kDesc, void* keys, void* space, size_t bytes, void* reserve, size_t reserved)
{
    (void)dyDesc;
    (void)dhyDesc;
    (void)dcyDesc;
    (void)dhxDesc;
    (void)dcxDesc;
    if (aDesc || a || kDesc || keys)
        return miopenStatusNotImplemented;
    return cass_dnn_back_sequences(handle, network, yDesc, y, dy, dxDesc, dx, hxDesc, hx, dhy, dhx, cxDesc, cx, dcy, dcx, w, cass_dnn_bytes(wDesc), space, bytes, reserve, reserved);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNBackwardWeightsEx(miopenHandle_t handle, const miopenRNNDescriptor_t network, const miopenSeqTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t hxDesc, const void* hx, const miopenSeqTensorDescriptor_t yDesc, const void* y, void* space, size_t bytes, const miopenTensorDescriptor_t dwDesc, void* dw, void* reserve, size_t reserved)
{
    return cass_dnn_weights_sequences(handle, network, true, xDesc, x, hxDesc, hx, yDesc, y, dw, cass_dnn_bytes(dwDesc), space, bytes, reserve, reserved);
}
