// name: cass_cudnn_rnn_params
// provides: cass_cudnnGetRNNLinLayerMatrixParams, cass_cudnnGetRNNLinLayerBiasParams
// replaces: cudnnGetRNNLinLayerMatrixParams, cudnnGetRNNLinLayerBiasParams
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Where a recurrent network keeps a matrix or a bias of a gate, by cuDNN's numbers of the gates and with the three directions of its descriptors.
// limit: MIOpen packs the parameters in another order: read and write them by these functions alone, and do not take the packed buffer from or to cuDNN.
// source: cuDNN developer guide, cudnnGetRNNLinLayerMatrixParams; miopen/miopen.h of ROCm 6.4, miopenGetRNNLayerParamOffset: an LSTM has its output gate before the new memory, a GRU its update gate before the reset gate; rnn.cpp: offsets count elements
CASS_DNN_INLINE miopenStatus_t cass_dnn_gate(miopenRNNDescriptor_t network, int gate, int* ours)
{
    static const int lstm[4] = {0, 1, 3, 2}, gru[3] = {1, 0, 2};
    miopenRNNMode_t mode = miopenRNNRELU;
    miopenRNNAlgo_t algorithm;
    miopenRNNInputMode_t input;
    miopenRNNDirectionMode_t direction;
    miopenRNNBiasMode_t bias;
    int hidden = 0, layers = 0;
    miopenStatus_t status = miopenGetRNNDescriptor(network, &mode, &algorithm, &input, &direction, &bias, &hidden, &layers);
    *ours = gate;
    if (status != miopenStatusSuccess || gate < 0)
        return status != miopenStatusSuccess ? status : miopenStatusBadParm;
    if (mode == miopenLSTM)
        *ours = gate / 4 * 4 + lstm[gate % 4];
    else if (mode == miopenGRU)
        *ours = gate / 3 * 3 + gru[gate % 3];
    return status;
}
CASS_DNN_INLINE void* cass_dnn_element(miopenTensorDescriptor_t described, const void* start, size_t offset)
{
    int size = 0, dims[8] = {1}, strides[8], at;
    size_t count = 1, bytes = cass_dnn_bytes(described);
    miopenDataType_t type;
    if (miopenGetTensorDescriptorSize(described, &size) == miopenStatusSuccess && size <= 8)
        miopenGetTensorDescriptor(described, &type, dims, strides);
    for (at = 0; at < size && size <= 8; ++at)
        count *= (size_t)dims[at];
    return (char*)start + offset * (bytes / count);
}
/* cuDNN's descriptors of parameters have three directions, of which the first is 1; MIOpen's have two for a matrix and one for a bias. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_widen(miopenTensorDescriptor_t described)
{
    int size = 0, dims[8], strides[8], all[3] = {1, 1, 1}, packed[3];
    miopenDataType_t type;
    miopenStatus_t status = miopenGetTensorDescriptorSize(described, &size);
    if (status != miopenStatusSuccess || size > 2)
        return status;
    status = miopenGetTensorDescriptor(described, &type, dims, strides);
    all[1] = dims[0];
    all[2] = size == 2 ? dims[1] : 1;
    packed[2] = 1;
    packed[1] = all[2];
    packed[0] = all[1] * all[2];
    return status == miopenStatusSuccess ? miopenSetTensorDescriptor(described, type, 3, all, packed) : status;
}
/* MIOpen's two questions for the offset of a gate have one form. */
typedef miopenStatus_t (*cass_dnn_offset)(miopenRNNDescriptor_t, int, miopenTensorDescriptor_t, int, miopenTensorDescriptor_t, size_t*);
CASS_DNN_INLINE miopenStatus_t cass_dnn_params(cass_dnn_offset ask, miopenRNNDescriptor_t network, int layer, miopenTensorDescriptor_t xDesc, const void* w, int gate, miopenTensorDescriptor_t described, void** params)
{
    size_t offset = 0;
    int ours = 0;
    miopenStatus_t status = cass_dnn_gate(network, gate, &ours);
    if (status == miopenStatusSuccess)
        status = ask(network, layer, xDesc, ours, described, &offset);
    *params = status == miopenStatusSuccess ? cass_dnn_element(described, w, offset) : NULL;
    return status == miopenStatusSuccess ? cass_dnn_widen(described) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetRNNLinLayerMatrixParams(miopenHandle_t handle, miopenRNNDescriptor_t network, int layer, miopenTensorDescriptor_t xDesc, miopenTensorDescriptor_t wDesc, const void* w, int gate, miopenTensorDescriptor_t matrixDesc, void** matrix)
{
    (void)handle;
    (void)wDesc;
    return cass_dnn_params(miopenGetRNNLayerParamOffset, network, layer, xDesc, w, gate, matrixDesc, matrix);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetRNNLinLayerBiasParams(miopenHandle_t handle, miopenRNNDescriptor_t network, int layer, miopenTensorDescriptor_t xDesc, miopenTensorDescriptor_t wDesc, const void* w, int gate, miopenTensorDescriptor_t biasDesc, void** bias)
{
    (void)handle;
    (void)wDesc;
    return cass_dnn_params(miopenGetRNNLayerBiasOffset, network, layer, xDesc, w, gate, biasDesc, bias);
}
