// name: cass_dnn_sequences
// provides: cass_dnn_forward_sequences, cass_dnn_back_sequences, cass_dnn_weights_sequences, cass_dnn_rnn_add
// replaces:
// requires: cass_dnn_scaling, cass_cudnn_rnn, cass_cudnn_dropout
// includes: miopen/miopen.h
// summary: Recurrent networks on batches of sequences with one descriptor, with cuDNN's meaning of first hidden states, dropout and gradients.
// source: cuDNN developer guide, cudnnRNNForward, cudnnRNNBackwardWeights_v8; rnn.cpp of MIOpen 6.2, RNNForward, which wants the reserve of a training for inference too
/* Memory to work in: the program's where it is enough. What cuDNN says of a network with a descriptor for each step is too small for padding. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_room(miopenHandle_t handle, miopenRNNDescriptor_t network, miopenSeqTensorDescriptor_t xDesc, miopenRNNFWDMode_t mode, void** space, size_t* bytes)
{
    size_t needed = 0, kept = 0;
    miopenStatus_t status = miopenGetRNNTempSpaceSizes(handle, network, xDesc, mode, &needed, &kept);
    if (status == miopenStatusSuccess && *bytes < needed) {
        status = cass_dnn_memory(handle, 6, needed, space);
        *bytes = needed;
    }
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_dnn_forward_sequences(miopenHandle_t handle, miopenRNNDescriptor_t network, miopenRNNFWDMode_t mode, miopenSeqTensorDescriptor_t xDesc, const void* x, miopenSeqTensorDescriptor_t yDesc, void* y, miopenTensorDescriptor_t hDesc, const void* hx, void* hy, miopenTensorDescriptor_t cDesc, const void* cx, void* cy, const void* w, size_t weights, void* space, size_t bytes, void* reserve, size_t reserved)
{
    const void* first = NULL;
    size_t none = 0, kept = 0;
    miopenDropoutDescriptor_t dropout = NULL;
    miopenStatus_t status = cass_dnn_room(handle, network, xDesc, mode, &space, &bytes);
    if (status == miopenStatusSuccess && mode == miopenRNNInference)
        status = miopenGetRNNTempSpaceSizes(handle, network, xDesc, miopenRNNTraining, &none, &kept);
    if (status == miopenStatusSuccess && mode == miopenRNNInference && reserved < kept) {
        status = cass_dnn_memory(handle, 7, kept, &reserve);
        reserved = kept;
    }
    if (status == miopenStatusSuccess)
        status = cass_dnn_first(handle, hDesc, hx, &first);
    if (status == miopenStatusSuccess)
        status = miopenRNNForward(handle, network, mode, xDesc, x, hDesc, first, hy, cDesc ? cDesc : hDesc, cx, cy, yDesc, y, w, weights, space, bytes, reserve, reserved);
    if (status == miopenStatusSuccess && mode == miopenRNNTraining)
        status = miopenGetRNNDescriptor_V2(network, NULL, NULL, &dropout, NULL, NULL, NULL, NULL, NULL, NULL);
    return status == miopenStatusSuccess && dropout ? cass_dnn_next_states(handle, dropout) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_dnn_back_sequences(miopenHandle_t handle, miopenRNNDescriptor_t network, miopenSeqTensorDescriptor_t yDesc, const void* y, const void* dy, miopenSeqTensorDescriptor_t xDesc, void* dx, miopenTensorDescriptor_t hDesc, const void* hx, const void* dhy, void* dhx, miopenTensorDescriptor_t cDesc, const void* cx, const void* dcy, void* dcx, const void* w, size_t weights, void* space, size_t bytes, void* reserve, size_t reserved)
{
    const void* first = NULL;
    miopenStatus_t status = cass_dnn_room(handle, network, xDesc, miopenRNNTraining, &space, &bytes);
    if (status == miopenStatusSuccess)
        status = cass_dnn_first(handle, hDesc, hx, &first);
    return status == miopenStatusSuccess ? miopenRNNBackwardSeqData(handle, network, yDesc, y, dy, hDesc, first, dhy, dhx, cDesc ? cDesc : hDesc, cx, dcy, dcx, xDesc, dx, w, weights, space, bytes, reserve, reserved) : status;
}
/* to = to + from, for so many bytes of parameters. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_rnn_add(miopenHandle_t handle, miopenRNNDescriptor_t network, void* to, const void* from, size_t bytes)
{
    const float one = 1.0f, none = 0.0f;
    miopenDataType_t type = miopenFloat;
    miopenTensorDescriptor_t all = NULL;
    miopenStatus_t status = miopenGetRNNDescriptor_V2(network, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &type);
    if (status == miopenStatusSuccess)
        status = miopenCreateTensorDescriptor(&all);
    if (status == miopenStatusSuccess)
        status = miopenSet4dTensorDescriptor(all, type, 1, 1, 1, (int)(bytes / (type == miopenHalf ? 2 : 4)));
    if (status == miopenStatusSuccess)
        status = miopenOpTensor(handle, miopenTensorOpAdd, &one, all, to, &one, all, from, &none, all, to);
    if (all)
        (void)miopenDestroyTensorDescriptor(all);
    return status;
}
/* MIOpen writes the gradients of the parameters; `adds` says that they are added to what is there. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_weights_sequences(miopenHandle_t handle, miopenRNNDescriptor_t network, bool adds, miopenSeqTensorDescriptor_t xDesc, const void* x, miopenTensorDescriptor_t hDesc, const void* hx, miopenSeqTensorDescriptor_t yDesc, const void* y, void* dw, size_t weights, void* space, size_t bytes, const void* reserve, size_t reserved)
{
    const void* first = NULL;
    void* to = dw;
    miopenStatus_t status = cass_dnn_room(handle, network, xDesc, miopenRNNTraining, &space, &bytes);
    if (status == miopenStatusSuccess)
        status = cass_dnn_first(handle, hDesc, hx, &first);
    if (status == miopenStatusSuccess && adds)
        status = cass_dnn_memory(handle, 5, weights, &to);
    if (status == miopenStatusSuccess)
        status = miopenRNNBackwardWeightsSeqTensor(handle, network, xDesc, x, hDesc, first, yDesc, y, to, weights, space, bytes, reserve, reserved);
    return status == miopenStatusSuccess && adds ? cass_dnn_rnn_add(handle, network, dw, to, weights) : status;
}
