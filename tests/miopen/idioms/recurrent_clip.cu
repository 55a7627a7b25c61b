// helper: an LSTM whose memory may be clipped
#include <cudnn.h>

void recurrent_clip(cudnnHandle_t h, cudnnRNNDescriptor_t r, bool clips, double least, double most)
{
    cudnnRNNClipMode_t mode = clips ? CUDNN_RNN_CLIP_MINMAX : CUDNN_RNN_CLIP_NONE;
    cudnnRNNSetClip(h, r, mode, CUDNN_NOT_PROPAGATE_NAN, least, most);
}
