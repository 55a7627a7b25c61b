// name: cass_cudnn_rnn_projection
// provides: cass_cudnnSetRNNProjectionLayers
// replaces: cudnnSetRNNProjectionLayers
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: A projection of a recurrent network that changes nothing; MIOpen has no other.
// limit: A projection that makes the result of an LSTM narrower is refused when the program asks for it (miopenStatusNotImplemented).
// source: cuDNN developer guide, cudnnSetRNNProjectionLayers; miopen/miopen.h of ROCm 6.4
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetRNNProjectionLayers(miopenHandle_t handle, miopenRNNDescriptor_t network, int recurrent, int output)
{
    int hidden = 0;
    miopenStatus_t status = miopenGetRNNDescriptor_V2(network, &hidden, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    (void)handle;
    return status != miopenStatusSuccess || (output == 0 && recurrent == hidden) ? status : miopenStatusNotImplemented;
}
