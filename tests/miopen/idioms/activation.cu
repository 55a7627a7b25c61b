// helper: activations and their gradients
#include <cudnn.h>

void activation(cudnnHandle_t h, cudnnActivationMode_t mode, cudnnTensorDescriptor_t y, float *py, float one, float zero)
{
    cudnnActivationDescriptor_t a;
    cudnnCreateActivationDescriptor(&a);
    cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_TANH, CUDNN_NOT_PROPAGATE_NAN, 0.0);
    cudnnSetActivationDescriptor(a, mode, CUDNN_PROPAGATE_NAN, 0.0);
    cudnnActivationForward(h, a, &one, y, py, &zero, y, py);
    cudnnActivationBackward(h, a, &one, y, py, y, py, y, py, &zero, y, py);
    cudnnDestroyActivationDescriptor(a);
}
