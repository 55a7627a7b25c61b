// helper: a recurrent network by the calls of cuDNN 8
#include <cudnn.h>

void recurrent_v8(cudnnHandle_t h, cudnnRNNDescriptor_t r, cudnnDropoutDescriptor_t d, cudnnRNNDataDescriptor_t xd, cudnnRNNDataDescriptor_t yd,
                  cudnnTensorDescriptor_t s, const int *lengths, const float *x, float *y, const void *w, void *space, void *reserve)
{
    size_t weights = 0, bytes = 0, reserved = 0;
    cudnnSetRNNDescriptor_v8(r, CUDNN_RNN_ALGO_STANDARD, CUDNN_GRU, CUDNN_RNN_DOUBLE_BIAS, CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT,
                             CUDNN_DEFAULT_MATH, 16, 32, 32, 2, d, CUDNN_RNN_PADDED_IO_ENABLED);
    cudnnGetRNNWeightSpaceSize(h, r, &weights);
    cudnnGetRNNTempSpaceSizes(h, r, CUDNN_FWD_MODE_TRAINING, xd, &bytes, &reserved);
    cudnnRNNForward(h, r, CUDNN_FWD_MODE_TRAINING, lengths, xd, x, yd, y, s, nullptr, nullptr, s, nullptr, nullptr, weights, w, bytes, space, reserved, reserve);
}
