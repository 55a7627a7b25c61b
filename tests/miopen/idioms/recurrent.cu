// helper: an LSTM with its parameters
#include <cudnn.h>

void recurrent(cudnnHandle_t h, cudnnDropoutDescriptor_t d, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t f, const float *pf)
{
    cudnnRNNDescriptor_t r;
    cudnnCreateRNNDescriptor(&r);
    cudnnSetRNNDescriptor_v6(h, r, 64, 2, d, CUDNN_LINEAR_INPUT, CUDNN_UNIDIRECTIONAL, CUDNN_LSTM, CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_FLOAT);
    void *place;
    cudnnGetRNNLinLayerMatrixParams(h, r, 0, x, f, pf, 1, f, &place);
}
