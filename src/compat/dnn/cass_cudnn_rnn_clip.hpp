// name: cass_cudnn_rnn_clip
// provides: cass_CUDNN_RNN_CLIP_NONE, cass_CUDNN_RNN_CLIP_MINMAX, cass_cudnnRNNClipMode_t, cass_cudnnRNNSetClip, cass_cudnnRNNSetClip_v8, cass_cudnnRNNSetClip_v9, cass_cudnnRNNGetClip, cass_cudnnRNNGetClip_v8, cass_cudnnRNNGetClip_v9
// replaces: CUDNN_RNN_CLIP_NONE, CUDNN_RNN_CLIP_MINMAX, cudnnRNNClipMode_t, cudnnRNNSetClip, cudnnRNNSetClip_v8, cudnnRNNSetClip_v9, cudnnRNNGetClip, cudnnRNNGetClip_v8, cudnnRNNGetClip_v9
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: The clipping of an LSTM's memory: none, which is all that MIOpen has.
// limit: A program that asks for CUDNN_RNN_CLIP_MINMAX gets miopenStatusNotImplemented when it asks.
// source: cuDNN developer guide, cudnnRNNSetClip; miopen/miopen.h of ROCm 6.4, which has no such setting
typedef enum { cass_CUDNN_RNN_CLIP_NONE = 0, cass_CUDNN_RNN_CLIP_MINMAX = 1 } cass_cudnnRNNClipMode_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNSetClip_v9(miopenRNNDescriptor_t network, cass_cudnnRNNClipMode_t mode, double least, double most)
{
    (void)least;
    (void)most;
    if (!network)
        return miopenStatusBadParm;
    return mode == cass_CUDNN_RNN_CLIP_NONE ? miopenStatusSuccess : miopenStatusNotImplemented;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNSetClip_v8(miopenRNNDescriptor_t network, cass_cudnnRNNClipMode_t mode, miopenNanPropagation_t nan, double least, double most)
{
    (void)nan;
    return cass_cudnnRNNSetClip_v9(network, mode, least, most);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNSetClip(miopenHandle_t handle, miopenRNNDescriptor_t network, cass_cudnnRNNClipMode_t mode, miopenNanPropagation_t nan, double least, double most)
{
    (void)handle;
    return cass_cudnnRNNSetClip_v8(network, mode, nan, least, most);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNGetClip_v9(miopenRNNDescriptor_t network, cass_cudnnRNNClipMode_t* mode, double* least, double* most)
{
    *mode = cass_CUDNN_RNN_CLIP_NONE;
    *least = 0.0;
    *most = 0.0;
    return network ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNGetClip_v8(miopenRNNDescriptor_t network, cass_cudnnRNNClipMode_t* mode, miopenNanPropagation_t* nan, double* least, double* most)
{
    *nan = MIOPEN_NOT_PROPAGATE_NAN;
    return cass_cudnnRNNGetClip_v9(network, mode, least, most);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNGetClip(miopenHandle_t handle, miopenRNNDescriptor_t network, cass_cudnnRNNClipMode_t* mode, miopenNanPropagation_t* nan, double* least, double* most)
{
    (void)handle;
    return cass_cudnnRNNGetClip_v8(network, mode, nan, least, most);
}
