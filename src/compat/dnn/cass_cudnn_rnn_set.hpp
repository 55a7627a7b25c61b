// name: cass_cudnn_rnn_set
// provides: cass_cudnnSetRNNDescriptor, cass_cudnnSetRNNDescriptor_v6
// replaces: cudnnSetRNNDescriptor, cudnnSetRNNDescriptor_v6
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: A recurrent network by cuDNN's arguments, with both biases as cuDNN has them.
// limit: MIOpen packs the parameters of a network in another order: read and write them by cudnnGetRNNLinLayerMatrixParams and cudnnGetRNNLinLayerBiasParams.
// source: cuDNN developer guide, cudnnSetRNNDescriptor_v6; miopen/miopen.h of ROCm 6.4, miopenSetRNNDescriptor_V2
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetRNNDescriptor_v6(miopenHandle_t handle, miopenRNNDescriptor_t network, int hidden, int layers, miopenDropoutDescriptor_t dropout, miopenRNNInputMode_t input, miopenRNNDirectionMode_t direction, miopenRNNMode_t mode, miopenRNNAlgo_t algorithm, miopenDataType_t type)
{
    (void)handle;
    return miopenSetRNNDescriptor_V2(network, hidden, layers, dropout, input, direction, mode, miopenRNNwithBias, algorithm, type);
}
/* From cuDNN 6 on. */
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetRNNDescriptor(miopenHandle_t handle, miopenRNNDescriptor_t network, int hidden, int layers, miopenDropoutDescriptor_t dropout, miopenRNNInputMode_t input, miopenRNNDirectionMode_t direction, miopenRNNMode_t mode, miopenRNNAlgo_t algorithm, miopenDataType_t type)
{
    return cass_cudnnSetRNNDescriptor_v6(handle, network, hidden, layers, dropout, input, direction, mode, algorithm, type);
}
