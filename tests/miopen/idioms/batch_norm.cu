// helper: batch normalisation in training and after
#include <cudnn.h>

void batch_norm(cudnnHandle_t h, cudnnTensorDescriptor_t x, const float *px, float *py, float *p, float *q, float one, float zero)
{
    cudnnTensorDescriptor_t d;
    cudnnCreateTensorDescriptor(&d);
    cudnnDeriveBNTensorDescriptor(d, x, CUDNN_BATCHNORM_SPATIAL);
    const double epsilon = CUDNN_BN_MIN_EPSILON > 1e-5 ? CUDNN_BN_MIN_EPSILON : 1e-5;
    cudnnBatchNormalizationForwardTraining(h, CUDNN_BATCHNORM_SPATIAL, &one, &zero, x, px, x, py, d, p, p, 0.1, p, p, epsilon, p, p);
    cudnnBatchNormalizationForwardInference(h, CUDNN_BATCHNORM_SPATIAL, &one, &zero, x, px, x, py, d, p, p, p, p, epsilon);
    cudnnBatchNormalizationBackward(h, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &one, x, px, x, py, x, py, d, p, q, q, epsilon, p, p);
}
