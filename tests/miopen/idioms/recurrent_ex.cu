// helper: a recurrent network on padded sequences (cuDNN 7.2)
#include <cudnn.h>

void recurrent_ex(cudnnHandle_t h, cudnnRNNDescriptor_t r, cudnnTensorDescriptor_t s, cudnnFilterDescriptor_t wd, const float *w, const int *lengths, const float *x, float *y,
                  void *space, size_t bytes, void *reserve, size_t reserved)
{
    float fill = 0;
    cudnnRNNDataDescriptor_t xd, yd;
    cudnnCreateRNNDataDescriptor(&xd);
    cudnnCreateRNNDataDescriptor(&yd);
    cudnnSetRNNPaddingMode(r, CUDNN_RNN_PADDED_IO_ENABLED);
    cudnnSetRNNDataDescriptor(xd, CUDNN_DATA_FLOAT, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED, 10, 4, 16, lengths, &fill);
    cudnnSetRNNDataDescriptor(yd, CUDNN_DATA_FLOAT, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED, 10, 4, 32, lengths, &fill);
    cudnnRNNForwardTrainingEx(h, r, xd, x, s, nullptr, s, nullptr, wd, w, yd, y, s, nullptr, s, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                              nullptr, space, bytes, reserve, reserved);
    cudnnDestroyRNNDataDescriptor(xd);
    cudnnDestroyRNNDataDescriptor(yd);
}
