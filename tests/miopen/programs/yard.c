/* A small network in the manner of networks written in C: a struct for each layer with pointers to its functions, descriptors beside arrays,
   one handle for each device, batch normalisation, leaky units by hand-made rules, weights updated with momentum and decay. It trains for
   ten steps; each loss against plain loops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPU
#define CUDNN

#ifdef GPU
#include "cuda_runtime.h"
#ifdef CUDNN
#include "cudnn.h"
#endif
#endif

typedef enum { CONVOLUTIONAL, MAXPOOL, SOFTMAX } LAYER_TYPE;
typedef enum { LINEAR, LOGISTIC, ELU } ACTIVATION;

struct network;
typedef struct network network;
struct layer;
typedef struct layer layer;

struct layer {
    LAYER_TYPE type;
    ACTIVATION activation;
    void (*forward_gpu)(layer *, network *);
    void (*backward_gpu)(layer *, network *);
    void (*update_gpu)(layer *, network *);
    int batch, batch_normalize;
    int h, w, c, out_h, out_w, out_c;
    int n, size, stride, pad;
    int outputs, nweights;
    float *output_gpu, *delta_gpu;
    float *weights_gpu, *weight_updates_gpu, *biases_gpu, *bias_updates_gpu;
    float *scales_gpu, *scale_updates_gpu;
    float *x_gpu, *mean_gpu, *variance_gpu, *rolling_mean_gpu, *rolling_variance_gpu;
#ifdef CUDNN
    cudnnTensorDescriptor_t srcTensorDesc, dstTensorDesc;
    cudnnTensorDescriptor_t dsrcTensorDesc, ddstTensorDesc;
    cudnnTensorDescriptor_t normTensorDesc, weightTensorDesc;
    cudnnFilterDescriptor_t weightDesc, dweightDesc;
    cudnnConvolutionDescriptor_t convDesc;
    cudnnActivationDescriptor_t activationDesc;
    cudnnPoolingDescriptor_t poolingDesc;
    cudnnConvolutionFwdAlgo_t fw_algo;
    cudnnConvolutionBwdDataAlgo_t bd_algo;
    cudnnConvolutionBwdFilterAlgo_t bf_algo;
#endif
    size_t workspace_size;
};

struct network {
    int n, batch;
    layer *layers;
    float learning_rate, momentum, decay;
    float *input_gpu, *delta_gpu, *workspace;
    int train;
};

void error(const char *s)
{
    fprintf(stderr, "%s\n", s);
    exit(1);
}

void check_error(cudaError_t status)
{
    cudaError_t status2 = cudaGetLastError();
    if (status != cudaSuccess || status2 != cudaSuccess)
        error(cudaGetErrorString(status != cudaSuccess ? status : status2));
}

#define CHECK_CUDNN(X) check_cudnn_extended(X, __FILE__, __LINE__)
void check_cudnn_extended(cudnnStatus_t status, const char *file, int line)
{
    if (status == CUDNN_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: cuDNN status: %s\n", file, line, cudnnGetErrorString(status));
    if (status == CUDNN_STATUS_ALLOC_FAILED)
        error("no memory");
    exit(1);
}

int cuda_get_device(void)
{
    int n = 0;
    check_error(cudaGetDevice(&n));
    return n;
}

cudnnHandle_t cudnn_handle(void)
{
    static int init[16] = {0};
    static cudnnHandle_t handle[16];
    int i = cuda_get_device();
    if (!init[i]) {
        CHECK_CUDNN(cudnnCreate(&handle[i]));
        init[i] = 1;
    }
    return handle[i];
}

float *cuda_make_array(const float *x, size_t n)
{
    float *x_gpu;
    size_t size = sizeof(float) * n;
    check_error(cudaMalloc((void **)&x_gpu, size));
    if (x)
        check_error(cudaMemcpy(x_gpu, x, size, cudaMemcpyHostToDevice));
    else
        check_error(cudaMemset(x_gpu, 0, size));
    return x_gpu;
}

void cuda_free(float *x_gpu)
{
    check_error(cudaFree(x_gpu));
}

void cuda_pull_array(float *x_gpu, float *x, size_t n)
{
    check_error(cudaMemcpy(x, x_gpu, sizeof(float) * n, cudaMemcpyDeviceToHost));
}

void cuda_push_array(float *x_gpu, const float *x, size_t n)
{
    check_error(cudaMemcpy(x_gpu, x, sizeof(float) * n, cudaMemcpyHostToDevice));
}

#ifdef CUDNN
void cudnn_convolutional_setup(layer *l)
{
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l->dsrcTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, l->batch, l->c, l->h, l->w));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l->ddstTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, l->batch, l->out_c, l->out_h, l->out_w));
    CHECK_CUDNN(cudnnSetFilter4dDescriptor(l->dweightDesc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, l->n, l->c, l->size, l->size));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l->srcTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, l->batch, l->c, l->h, l->w));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l->dstTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, l->batch, l->out_c, l->out_h, l->out_w));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l->normTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, l->out_c, 1, 1));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l->weightTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, l->nweights));
    CHECK_CUDNN(cudnnSetFilter4dDescriptor(l->weightDesc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, l->n, l->c, l->size, l->size));
#if CUDNN_MAJOR >= 6
    CHECK_CUDNN(cudnnSetConvolution2dDescriptor(l->convDesc, l->pad, l->pad, l->stride, l->stride, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
#else
    CHECK_CUDNN(cudnnSetConvolution2dDescriptor(l->convDesc, l->pad, l->pad, l->stride, l->stride, 1, 1, CUDNN_CROSS_CORRELATION));
#endif
#if CUDNN_MAJOR >= 7
    CHECK_CUDNN(cudnnSetConvolutionGroupCount(l->convDesc, 1));
#endif
#if CUDNN_MAJOR >= 8
    {
        int found = 0;
        cudnnConvolutionFwdAlgoPerf_t fw[4];
        cudnnConvolutionBwdDataAlgoPerf_t bd[4];
        cudnnConvolutionBwdFilterAlgoPerf_t bf[4];
        CHECK_CUDNN(cudnnGetConvolutionForwardAlgorithm_v7(cudnn_handle(), l->srcTensorDesc, l->weightDesc, l->convDesc, l->dstTensorDesc, 4, &found, fw));
        l->fw_algo = fw[0].algo;
        CHECK_CUDNN(cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnn_handle(), l->weightDesc, l->ddstTensorDesc, l->convDesc, l->dsrcTensorDesc, 4, &found, bd));
        l->bd_algo = bd[0].algo;
        CHECK_CUDNN(cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnn_handle(), l->srcTensorDesc, l->ddstTensorDesc, l->convDesc, l->dweightDesc, 4, &found, bf));
        l->bf_algo = bf[0].algo;
    }
#else
    CHECK_CUDNN(cudnnGetConvolutionForwardAlgorithm(cudnn_handle(), l->srcTensorDesc, l->weightDesc, l->convDesc, l->dstTensorDesc, CUDNN_CONVOLUTION_FWD_PREFER_FASTEST, 0, &l->fw_algo));
    CHECK_CUDNN(cudnnGetConvolutionBackwardDataAlgorithm(cudnn_handle(), l->weightDesc, l->ddstTensorDesc, l->convDesc, l->dsrcTensorDesc, CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST, 0, &l->bd_algo));
    CHECK_CUDNN(cudnnGetConvolutionBackwardFilterAlgorithm(cudnn_handle(), l->srcTensorDesc, l->ddstTensorDesc, l->convDesc, l->dweightDesc, CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST, 0, &l->bf_algo));
#endif
}
#endif

static size_t get_workspace_size(layer l)
{
    size_t most = 0, s = 0;
    CHECK_CUDNN(cudnnGetConvolutionForwardWorkspaceSize(cudnn_handle(), l.srcTensorDesc, l.weightDesc, l.convDesc, l.dstTensorDesc, l.fw_algo, &s));
    if (s > most)
        most = s;
    CHECK_CUDNN(cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnn_handle(), l.srcTensorDesc, l.ddstTensorDesc, l.convDesc, l.dweightDesc, l.bf_algo, &s));
    if (s > most)
        most = s;
    CHECK_CUDNN(cudnnGetConvolutionBackwardDataWorkspaceSize(cudnn_handle(), l.weightDesc, l.ddstTensorDesc, l.convDesc, l.dsrcTensorDesc, l.bd_algo, &s));
    return s > most ? s : most;
}

static void forward_convolutional_layer_gpu(layer *l, network *net)
{
    float one = 1, zero = 0;
    CHECK_CUDNN(cudnnConvolutionForward(cudnn_handle(), &one, l->srcTensorDesc, net->input_gpu, l->weightDesc, l->weights_gpu, l->convDesc, l->fw_algo, net->workspace,
                                        l->workspace_size, &zero, l->dstTensorDesc, l->output_gpu));
    if (l->batch_normalize) {
        check_error(cudaDeviceSynchronize());
        check_error(cudaMemcpy(l->x_gpu, l->output_gpu, sizeof(float) * l->outputs * l->batch, cudaMemcpyDeviceToDevice));
        CHECK_CUDNN(cudnnBatchNormalizationForwardTraining(cudnn_handle(), CUDNN_BATCHNORM_SPATIAL, &one, &zero, l->dstTensorDesc, l->x_gpu, l->dstTensorDesc, l->output_gpu,
                                                           l->normTensorDesc, l->scales_gpu, l->biases_gpu, .01, l->rolling_mean_gpu, l->rolling_variance_gpu, .00001,
                                                           l->mean_gpu, l->variance_gpu));
    } else {
        CHECK_CUDNN(cudnnAddTensor(cudnn_handle(), &one, l->normTensorDesc, l->biases_gpu, &one, l->dstTensorDesc, l->output_gpu));
    }
    if (l->activation != LINEAR)
        CHECK_CUDNN(cudnnActivationForward(cudnn_handle(), l->activationDesc, &one, l->dstTensorDesc, l->output_gpu, &zero, l->dstTensorDesc, l->output_gpu));
}

static void backward_convolutional_layer_gpu(layer *l, network *net)
{
    float one = 1, zero = 0;
    if (l->activation == LOGISTIC)
        CHECK_CUDNN(cudnnActivationBackward(cudnn_handle(), l->activationDesc, &one, l->dstTensorDesc, l->output_gpu, l->ddstTensorDesc, l->delta_gpu, l->dstTensorDesc, l->output_gpu,
                                            &zero, l->ddstTensorDesc, l->delta_gpu));
    if (l->batch_normalize)
        CHECK_CUDNN(cudnnBatchNormalizationBackward(cudnn_handle(), CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &one, l->dstTensorDesc, l->x_gpu, l->ddstTensorDesc, l->delta_gpu,
                                                    l->ddstTensorDesc, l->delta_gpu, l->normTensorDesc, l->scales_gpu, l->scale_updates_gpu, l->bias_updates_gpu, .00001,
                                                    l->mean_gpu, l->variance_gpu));
    else
        CHECK_CUDNN(cudnnConvolutionBackwardBias(cudnn_handle(), &one, l->ddstTensorDesc, l->delta_gpu, &one, l->normTensorDesc, l->bias_updates_gpu));
    CHECK_CUDNN(cudnnConvolutionBackwardFilter(cudnn_handle(), &one, l->srcTensorDesc, net->input_gpu, l->ddstTensorDesc, l->delta_gpu, l->convDesc, l->bf_algo, net->workspace,
                                               l->workspace_size, &one, l->dweightDesc, l->weight_updates_gpu));
    if (net->delta_gpu)
        CHECK_CUDNN(cudnnConvolutionBackwardData(cudnn_handle(), &one, l->weightDesc, l->weights_gpu, l->ddstTensorDesc, l->delta_gpu, l->convDesc, l->bd_algo, net->workspace,
                                                 l->workspace_size, &zero, l->dsrcTensorDesc, net->delta_gpu));
}

/* What BLAS does elsewhere: y += a * x, and x *= a. */
static void axpy_gpu(cudnnTensorDescriptor_t desc, float a, float *x_gpu, float *y_gpu)
{
    float one = 1;
    CHECK_CUDNN(cudnnAddTensor(cudnn_handle(), &a, desc, x_gpu, &one, desc, y_gpu));
}
static void scal_gpu(cudnnTensorDescriptor_t desc, float a, float *x_gpu)
{
    CHECK_CUDNN(cudnnScaleTensor(cudnn_handle(), desc, x_gpu, &a));
}

static void update_convolutional_layer_gpu(layer *l, network *net)
{
    float rate = net->learning_rate;
    axpy_gpu(l->weightTensorDesc, net->decay, l->weights_gpu, l->weight_updates_gpu);
    axpy_gpu(l->weightTensorDesc, -rate, l->weight_updates_gpu, l->weights_gpu);
    scal_gpu(l->weightTensorDesc, net->momentum, l->weight_updates_gpu);
    axpy_gpu(l->normTensorDesc, -rate, l->bias_updates_gpu, l->biases_gpu);
    scal_gpu(l->normTensorDesc, net->momentum, l->bias_updates_gpu);
    if (l->scales_gpu) {
        axpy_gpu(l->normTensorDesc, -rate, l->scale_updates_gpu, l->scales_gpu);
        scal_gpu(l->normTensorDesc, net->momentum, l->scale_updates_gpu);
    }
}

static layer make_convolutional_layer(int batch, int h, int w, int c, int n, int size, int pad, ACTIVATION activation, int batch_normalize, const float *weights)
{
    layer l;
    int i;
    float *ones = (float *)calloc(n, sizeof(float));
    memset(&l, 0, sizeof(l));
    l.type = CONVOLUTIONAL;
    l.activation = activation;
    l.batch = batch;
    l.batch_normalize = batch_normalize;
    l.h = h;
    l.w = w;
    l.c = c;
    l.n = l.out_c = n;
    l.size = size;
    l.stride = 1;
    l.pad = pad;
    l.out_h = h + 2 * pad - size + 1;
    l.out_w = w + 2 * pad - size + 1;
    l.outputs = l.out_c * l.out_h * l.out_w;
    l.nweights = c * n * size * size;
    for (i = 0; i < n; ++i)
        ones[i] = 1;
    l.forward_gpu = forward_convolutional_layer_gpu;
    l.backward_gpu = backward_convolutional_layer_gpu;
    l.update_gpu = update_convolutional_layer_gpu;
    l.weights_gpu = cuda_make_array(weights, l.nweights);
    l.weight_updates_gpu = cuda_make_array(0, l.nweights);
    l.biases_gpu = cuda_make_array(0, n);
    l.bias_updates_gpu = cuda_make_array(0, n);
    l.output_gpu = cuda_make_array(0, (size_t)batch * l.outputs);
    l.delta_gpu = cuda_make_array(0, (size_t)batch * l.outputs);
    if (batch_normalize) {
        l.scales_gpu = cuda_make_array(ones, n);
        l.scale_updates_gpu = cuda_make_array(0, n);
        l.x_gpu = cuda_make_array(0, (size_t)batch * l.outputs);
        l.mean_gpu = cuda_make_array(0, n);
        l.variance_gpu = cuda_make_array(ones, n);
        l.rolling_mean_gpu = cuda_make_array(0, n);
        l.rolling_variance_gpu = cuda_make_array(ones, n);
    }
    free(ones);
#ifdef CUDNN
    cudnnCreateTensorDescriptor(&l.normTensorDesc);
    cudnnCreateTensorDescriptor(&l.weightTensorDesc);
    cudnnCreateTensorDescriptor(&l.srcTensorDesc);
    cudnnCreateTensorDescriptor(&l.dstTensorDesc);
    cudnnCreateFilterDescriptor(&l.weightDesc);
    cudnnCreateTensorDescriptor(&l.dsrcTensorDesc);
    cudnnCreateTensorDescriptor(&l.ddstTensorDesc);
    cudnnCreateFilterDescriptor(&l.dweightDesc);
    cudnnCreateConvolutionDescriptor(&l.convDesc);
    cudnnCreateActivationDescriptor(&l.activationDesc);
    CHECK_CUDNN(cudnnSetActivationDescriptor(l.activationDesc, activation == LOGISTIC ? CUDNN_ACTIVATION_SIGMOID : CUDNN_ACTIVATION_ELU, CUDNN_PROPAGATE_NAN, 1.0));
    cudnn_convolutional_setup(&l);
#endif
    l.workspace_size = get_workspace_size(l);
    return l;
}

static void forward_maxpool_layer_gpu(layer *l, network *net)
{
    float one = 1, zero = 0;
    CHECK_CUDNN(cudnnPoolingForward(cudnn_handle(), l->poolingDesc, &one, l->srcTensorDesc, net->input_gpu, &zero, l->dstTensorDesc, l->output_gpu));
}

static void backward_maxpool_layer_gpu(layer *l, network *net)
{
    float one = 1, zero = 0;
    CHECK_CUDNN(cudnnPoolingBackward(cudnn_handle(), l->poolingDesc, &one, l->dstTensorDesc, l->output_gpu, l->dstTensorDesc, l->delta_gpu, l->srcTensorDesc, net->input_gpu, &zero,
                                     l->srcTensorDesc, net->delta_gpu));
}

static layer make_maxpool_layer(int batch, int h, int w, int c, int size)
{
    layer l;
    memset(&l, 0, sizeof(l));
    l.type = MAXPOOL;
    l.batch = batch;
    l.h = h;
    l.w = w;
    l.c = l.out_c = c;
    l.size = l.stride = size;
    l.out_h = h / size;
    l.out_w = w / size;
    l.outputs = l.out_c * l.out_h * l.out_w;
    l.forward_gpu = forward_maxpool_layer_gpu;
    l.backward_gpu = backward_maxpool_layer_gpu;
    l.output_gpu = cuda_make_array(0, (size_t)batch * l.outputs);
    l.delta_gpu = cuda_make_array(0, (size_t)batch * l.outputs);
    cudnnCreateTensorDescriptor(&l.srcTensorDesc);
    cudnnCreateTensorDescriptor(&l.dstTensorDesc);
    cudnnCreatePoolingDescriptor(&l.poolingDesc);
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l.srcTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch, c, h, w));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l.dstTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch, c, l.out_h, l.out_w));
    CHECK_CUDNN(cudnnSetPooling2dDescriptor(l.poolingDesc, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, size, size, 0, 0, size, size));
    return l;
}

static void forward_softmax_layer_gpu(layer *l, network *net)
{
    float one = 1, zero = 0;
    CHECK_CUDNN(cudnnSoftmaxForward(cudnn_handle(), CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &one, l->srcTensorDesc, net->input_gpu, &zero, l->dstTensorDesc, l->output_gpu));
}

/* The delta is that of the softmax and the loss together. */
static void backward_softmax_layer_gpu(layer *l, network *net)
{
    float one = 1;
    CHECK_CUDNN(cudnnAddTensor(cudnn_handle(), &one, l->dstTensorDesc, l->delta_gpu, &one, l->srcTensorDesc, net->delta_gpu));
}

static layer make_softmax_layer(int batch, int inputs)
{
    layer l;
    memset(&l, 0, sizeof(l));
    l.type = SOFTMAX;
    l.batch = batch;
    l.outputs = inputs;
    l.forward_gpu = forward_softmax_layer_gpu;
    l.backward_gpu = backward_softmax_layer_gpu;
    l.output_gpu = cuda_make_array(0, (size_t)batch * inputs);
    l.delta_gpu = cuda_make_array(0, (size_t)batch * inputs);
    cudnnCreateTensorDescriptor(&l.srcTensorDesc);
    cudnnCreateTensorDescriptor(&l.dstTensorDesc);
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l.srcTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch, inputs, 1, 1));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(l.dstTensorDesc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch, inputs, 1, 1));
    return l;
}

static void free_layer(layer *l)
{
    float *all[13];
    int i;
    all[0] = l->output_gpu;
    all[1] = l->delta_gpu;
    all[2] = l->weights_gpu;
    all[3] = l->weight_updates_gpu;
    all[4] = l->biases_gpu;
    all[5] = l->bias_updates_gpu;
    all[6] = l->scales_gpu;
    all[7] = l->scale_updates_gpu;
    all[8] = l->x_gpu;
    all[9] = l->mean_gpu;
    all[10] = l->variance_gpu;
    all[11] = l->rolling_mean_gpu;
    all[12] = l->rolling_variance_gpu;
    for (i = 0; i < 13; ++i)
        if (all[i])
            cuda_free(all[i]);
    if (l->srcTensorDesc)
        CHECK_CUDNN(cudnnDestroyTensorDescriptor(l->srcTensorDesc));
    if (l->dstTensorDesc)
        CHECK_CUDNN(cudnnDestroyTensorDescriptor(l->dstTensorDesc));
    if (l->convDesc)
        CHECK_CUDNN(cudnnDestroyConvolutionDescriptor(l->convDesc));
    if (l->poolingDesc)
        CHECK_CUDNN(cudnnDestroyPoolingDescriptor(l->poolingDesc));
}

static void forward_network_gpu(network *net, float *input_gpu)
{
    int i;
    net->input_gpu = input_gpu;
    for (i = 0; i < net->n; ++i) {
        layer *l = &net->layers[i];
        l->forward_gpu(l, net);
        net->input_gpu = l->output_gpu;
    }
    check_error(cudaDeviceSynchronize());
}

static void backward_network_gpu(network *net, float *input_gpu)
{
    int i;
    for (i = 0; i < net->n - 1; ++i)
        check_error(cudaMemset(net->layers[i].delta_gpu, 0, sizeof(float) * net->layers[i].outputs * net->batch));
    for (i = net->n - 1; i >= 0; --i) {
        layer *l = &net->layers[i];
        net->input_gpu = i > 0 ? net->layers[i - 1].output_gpu : input_gpu;
        net->delta_gpu = i > 0 ? net->layers[i - 1].delta_gpu : 0;
        l->backward_gpu(l, net);
    }
    for (i = 0; i < net->n; ++i)
        if (net->layers[i].update_gpu)
            net->layers[i].update_gpu(&net->layers[i], net);
    check_error(cudaDeviceSynchronize());
}

/* The same network in plain loops and in double. */
enum { BATCH = 6, C = 2, SIDE = 8, N = 4, CLASSES = 3, HALF = 4 };

typedef struct {
    double a[N * C * 9], da[N * C * 9], scale[N], dscale[N], bias[N], dbias[N];
    double b[CLASSES * N * HALF * HALF], db[CLASSES * N * HALF * HALF], last[CLASSES], dlast[CLASSES];
} plain;

static void plain_update(double *w, double *dw, int n, double rate, double momentum, double decay)
{
    int i;
    for (i = 0; i < n; ++i) {
        dw[i] += decay * w[i];
        w[i] -= rate * dw[i];
        dw[i] *= momentum;
    }
}

static double plain_step(plain *p, const float *image, const int *labels, double rate, double momentum, double decay)
{
    static double x[BATCH][N][SIDE][SIDE], y[BATCH][N][SIDE][SIDE], d[BATCH][N][SIDE][SIDE], q[BATCH][N][HALF][HALF], dq[BATCH][N][HALF][HALF];
    const double count = BATCH * SIDE * SIDE;
    double mean[N] = {0}, variance[N] = {0}, loss = 0;
    int n, k, c, i, j, r, s;
    memset(d, 0, sizeof(d));
    memset(dq, 0, sizeof(dq));
    for (n = 0; n < BATCH; ++n)
        for (k = 0; k < N; ++k)
            for (i = 0; i < SIDE; ++i)
                for (j = 0; j < SIDE; ++j) {
                    x[n][k][i][j] = 0;
                    for (c = 0; c < C; ++c)
                        for (r = 0; r < 3; ++r)
                            for (s = 0; s < 3; ++s)
                                if (i + r > 0 && i + r <= SIDE && j + s > 0 && j + s <= SIDE)
                                    x[n][k][i][j] += image[((n * C + c) * SIDE + i + r - 1) * SIDE + j + s - 1] * p->a[((k * C + c) * 3 + r) * 3 + s];
                    mean[k] += x[n][k][i][j] / count;
                }
    for (n = 0; n < BATCH; ++n)
        for (k = 0; k < N; ++k)
            for (i = 0; i < SIDE * SIDE; ++i)
                variance[k] += pow(x[n][k][i / SIDE][i % SIDE] - mean[k], 2) / count;
    for (n = 0; n < BATCH; ++n)
        for (k = 0; k < N; ++k)
            for (i = 0; i < SIDE; ++i)
                for (j = 0; j < SIDE; ++j) {
                    x[n][k][i][j] = (x[n][k][i][j] - mean[k]) / sqrt(variance[k] + .00001);
                    y[n][k][i][j] = 1 / (1 + exp(-(p->scale[k] * x[n][k][i][j] + p->bias[k])));
                }
    for (n = 0; n < BATCH; ++n) {
        double score[CLASSES], sum = 0;
        for (k = 0; k < N; ++k)
            for (i = 0; i < HALF; ++i)
                for (j = 0; j < HALF; ++j) {
                    q[n][k][i][j] = 0;
                    for (r = 0; r < 4; ++r)
                        q[n][k][i][j] = fmax(q[n][k][i][j], y[n][k][2 * i + r / 2][2 * j + r % 2]);
                }
        for (c = 0; c < CLASSES; ++c) {
            score[c] = p->last[c];
            for (i = 0; i < N * HALF * HALF; ++i)
                score[c] += (&q[n][0][0][0])[i] * p->b[c * N * HALF * HALF + i];
            sum += exp(score[c]);
        }
        for (c = 0; c < CLASSES; ++c) {
            const double share = exp(score[c]) / sum, g = (share - (c == labels[n])) / BATCH;
            if (c == labels[n])
                loss -= log(share) / BATCH;
            p->dlast[c] += g;
            for (i = 0; i < N * HALF * HALF; ++i) {
                p->db[c * N * HALF * HALF + i] += g * (&q[n][0][0][0])[i];
                (&dq[n][0][0][0])[i] += g * p->b[c * N * HALF * HALF + i];
            }
        }
        for (k = 0; k < N; ++k)
            for (i = 0; i < HALF; ++i)
                for (j = 0; j < HALF; ++j)
                    for (r = 0; r < 4; ++r)
                        if (y[n][k][2 * i + r / 2][2 * j + r % 2] == q[n][k][i][j]) {
                            d[n][k][2 * i + r / 2][2 * j + r % 2] = dq[n][k][i][j];
                            break;
                        }
    }
    for (k = 0; k < N; ++k) {
        double to_scale = 0, to_bias = 0;
        for (n = 0; n < BATCH; ++n)
            for (i = 0; i < SIDE; ++i)
                for (j = 0; j < SIDE; ++j) {
                    d[n][k][i][j] *= y[n][k][i][j] * (1 - y[n][k][i][j]);
                    to_scale += d[n][k][i][j] * x[n][k][i][j];
                    to_bias += d[n][k][i][j];
                }
        p->dscale[k] += to_scale;
        p->dbias[k] += to_bias;
        for (n = 0; n < BATCH; ++n)
            for (i = 0; i < SIDE; ++i)
                for (j = 0; j < SIDE; ++j) {
                    const double g = p->scale[k] / sqrt(variance[k] + .00001) * (d[n][k][i][j] - to_bias / count - x[n][k][i][j] * to_scale / count);
                    for (c = 0; c < C; ++c)
                        for (r = 0; r < 3; ++r)
                            for (s = 0; s < 3; ++s)
                                if (i + r > 0 && i + r <= SIDE && j + s > 0 && j + s <= SIDE)
                                    p->da[((k * C + c) * 3 + r) * 3 + s] += g * image[((n * C + c) * SIDE + i + r - 1) * SIDE + j + s - 1];
                }
    }
    plain_update(p->a, p->da, N * C * 9, rate, momentum, decay);
    plain_update(p->b, p->db, CLASSES * N * HALF * HALF, rate, momentum, decay);
    plain_update(p->scale, p->dscale, N, rate, momentum, 0);
    plain_update(p->bias, p->dbias, N, rate, momentum, 0);
    plain_update(p->last, p->dlast, CLASSES, rate, momentum, 0);
    return loss;
}

static void noise(float *to, int count, unsigned seed, float scale)
{
    unsigned state = seed * 2654435761u + 12345u;
    int i;
    for (i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        to[i] = scale * ((float)(state >> 8) / (float)(1 << 24) * 2.0f - 1.0f);
    }
}

int main(void)
{
    static float image[BATCH * C * SIDE * SIDE], a[N * C * 9], b[CLASSES * N * HALF * HALF], shares[BATCH * CLASSES];
    static plain p;
    const int labels[BATCH] = {0, 1, 2, 2, 1, 0};
    layer layers[4];
    network net;
    double first = 0, last = 0;
    int i, at, failures = 0;
    float *input_gpu;
    noise(image, BATCH * C * SIDE * SIDE, 1, 1.0f);
    noise(a, N * C * 9, 2, 0.4f);
    noise(b, CLASSES * N * HALF * HALF, 3, 0.3f);
    for (i = 0; i < N * C * 9; ++i)
        p.a[i] = a[i];
    for (i = 0; i < CLASSES * N * HALF * HALF; ++i)
        p.b[i] = b[i];
    for (i = 0; i < N; ++i)
        p.scale[i] = 1;

    layers[0] = make_convolutional_layer(BATCH, SIDE, SIDE, C, N, 3, 1, LOGISTIC, 1, a);
    layers[1] = make_maxpool_layer(BATCH, SIDE, SIDE, N, 2);
    layers[2] = make_convolutional_layer(BATCH, HALF, HALF, N, CLASSES, HALF, 0, LINEAR, 0, b);
    layers[3] = make_softmax_layer(BATCH, CLASSES);
    memset(&net, 0, sizeof(net));
    net.n = 4;
    net.batch = BATCH;
    net.layers = layers;
    net.learning_rate = 0.2f;
    net.momentum = 0.5f;
    net.decay = 0.01f;
    net.train = 1;
    net.workspace = cuda_make_array(0, (layers[0].workspace_size > layers[2].workspace_size ? layers[0].workspace_size : layers[2].workspace_size) / sizeof(float) + 1);
    input_gpu = cuda_make_array(image, BATCH * C * SIDE * SIDE);
    for (at = 0; at < 10; ++at) {
        double loss = 0, wanted;
        forward_network_gpu(&net, input_gpu);
        cuda_pull_array(layers[3].output_gpu, shares, BATCH * CLASSES);
        for (i = 0; i < BATCH; ++i)
            loss -= log((double)shares[i * CLASSES + labels[i]]) / BATCH;
        for (i = 0; i < BATCH * CLASSES; ++i)
            shares[i] = (shares[i] - (i % CLASSES == labels[i / CLASSES])) / BATCH;
        cuda_push_array(layers[3].delta_gpu, shares, BATCH * CLASSES);
        backward_network_gpu(&net, input_gpu);
        wanted = plain_step(&p, image, labels, net.learning_rate, net.momentum, net.decay);
        printf("step %d: loss %.6f, in plain loops %.6f\n", at, loss, wanted);
        failures += !(fabs(loss - wanted) < 2e-4);
        first = at == 0 ? loss : first;
        last = loss;
    }
    failures += !(last < first);
    for (i = 0; i < net.n; ++i)
        free_layer(&layers[i]);
    cuda_free(input_gpu);
    cuda_free(net.workspace);
    printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
