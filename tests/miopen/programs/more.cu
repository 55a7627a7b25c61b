// What frameworks call beside the layers: formats, constants and scalings of tensors, the logarithm of softmax, channels by themselves, a
// bias of volumes, places of greatest elements, shapes of results.
#include "device.hpp"

#include <algorithm>

static cudnnHandle_t handle;

static void close(const char *what, const Numbers &found, const std::vector<double> &wanted)
{
    double most = found.size() == wanted.size() ? 0 : 1;
    for (size_t i = 0; i < found.size() && i < wanted.size(); ++i)
        most = std::max(most, std::isnan(found[i]) ? 1.0 : std::fabs(found[i] - wanted[i]));
    if (most > 2e-5) {
        std::printf("%s differs by %g\n", what, most);
        ++failures;
    }
}

static void formats()
{
    const Shape s{2, 3, 4, 5};
    Tensor planes(s), pixels(s, CUDNN_TENSOR_NHWC);
    const int count = s.n * s.c * s.h * s.w;
    const Numbers x = noise(count, 61), old = noise(count, 62);
    Array px(x), py(old);
    const float alpha = 2, beta = 0.5f;
    CHECK(cudnnTransformTensor(handle, &alpha, planes.d, px.p, &beta, pixels.d, py.p));
    std::vector<double> wanted(count);
    for (int n = 0; n < s.n; ++n)
        for (int c = 0; c < s.c; ++c)
            for (int at = 0; at < s.h * s.w; ++at) {
                const int to = (n * s.h * s.w + at) * s.c + c;
                wanted[to] = 2.0 * x[(n * s.c + c) * s.h * s.w + at] + 0.5 * old[to];
            }
    close("a tensor in another format", py.read(), wanted);
    const float value = 3, by = 0.5f;
    CHECK(cudnnSetTensor(handle, planes.d, px.p, &value));
    CHECK(cudnnScaleTensor(handle, planes.d, px.p, &by));
    close("a tensor that is set and scaled", px.read(), std::vector<double>(count, 1.5));
}

// Sums with a bias, its gradient, and softmax, where the channels lie last.
static void pixels()
{
    const Shape s{2, 3, 4, 5};
    Tensor t(s, CUDNN_TENSOR_NHWC), bias({1, 3, 1, 1}, CUDNN_TENSOR_NHWC);
    const int count = s.n * s.c * s.h * s.w;
    const Numbers x = noise(count, 71), other = noise(count, 72), b = noise(3, 73), old = noise(3, 74);
    Array px(x), pother(other), psum(Numbers(count, NAN)), pb(b), pdb(old);
    const float alpha = 2, beta = 0.5f, zero = 0;
    std::vector<double> wanted(count), sums(count), slopes(3);
    for (int c = 0; c < 3; ++c)
        slopes[c] = 0.5 * old[c];
    for (int i = 0; i < count; ++i) {
        wanted[i] = 2.0 * b[i % 3] + 0.5 * x[i];
        sums[i] = 2.0 * wanted[i] * 0.5 * other[i];
        slopes[i % 3] += 2.0 * other[i];
    }
    CHECK(cudnnAddTensor(handle, &alpha, bias.d, pb.p, &beta, t.d, px.p));
    close("a bias of channels that lie last", px.read(), wanted);
    cudnnOpTensorDescriptor_t product;
    CHECK(cudnnCreateOpTensorDescriptor(&product));
    CHECK(cudnnSetOpTensorDescriptor(product, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
    CHECK(cudnnOpTensor(handle, product, &alpha, t.d, px.p, &beta, t.d, pother.p, &zero, t.d, psum.p));
    close("a product of channels that lie last", psum.read(), sums);
    CHECK(cudnnDestroyOpTensorDescriptor(product));
    CHECK(cudnnConvolutionBackwardBias(handle, &alpha, t.d, pother.p, &beta, bias.d, pdb.p));
    close("the gradient of a bias of channels that lie last", pdb.read(), slopes);
    Array psoft(Numbers(count, NAN));
    CHECK(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &alpha, t.d, pother.p, &zero, t.d, psoft.p));
    for (int i = 0; i < count; ++i) {
        const int first = i - i % 3;
        double sum = 0;
        for (int c = 0; c < 3; ++c)
            sum += std::exp(double(other[first + c]));
        wanted[i] = 2 * std::exp(double(other[i])) / sum;
    }
    close("softmax over channels that lie last", psoft.read(), wanted);
}

// Activations and dropout where the channels lie last, and from one format into another, which is refused and never wrong.
static void elements()
{
    const Shape s{2, 3, 4, 5};
    Tensor planes(s), pixels(s, CUDNN_TENSOR_NHWC);
    const int count = s.n * s.c * s.h * s.w;
    const Numbers x = noise(count, 81);
    Array px(x), py(Numbers(count, NAN)), pdx(Numbers(count, NAN));
    const float alpha = 2, zero = 0;
    cudnnActivationDescriptor_t positive;
    CHECK(cudnnCreateActivationDescriptor(&positive));
    CHECK(cudnnSetActivationDescriptor(positive, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
    failures += cudnnActivationForward(handle, positive, &alpha, planes.d, px.p, &zero, pixels.d, py.p) == CUDNN_STATUS_SUCCESS;
    failures += cudnnActivationBackward(handle, positive, &alpha, pixels.d, py.p, pixels.d, px.p, pixels.d, px.p, &zero, planes.d, pdx.p) == CUDNN_STATUS_SUCCESS;
    CHECK(cudnnActivationForward(handle, positive, &alpha, pixels.d, px.p, &zero, pixels.d, py.p));
    std::vector<double> wanted;
    for (const float it : x)
        wanted.push_back(it > 0 ? 2.0 * it : 0.0);
    close("an activation of channels that lie last", py.read(), wanted);
    CHECK(cudnnDestroyActivationDescriptor(positive));
    size_t states = 0, reserved = 0;
    CHECK(cudnnDropoutGetStatesSize(handle, &states));
    CHECK(cudnnDropoutGetReserveSpaceSize(pixels.d, &reserved));
    Array drawn(Numbers(states / 4 + 1)), reserve(Numbers(reserved / 4 + 1));
    cudnnDropoutDescriptor_t dropout;
    CHECK(cudnnCreateDropoutDescriptor(&dropout));
    CHECK(cudnnSetDropoutDescriptor(dropout, handle, 0.5f, drawn.p, states, 7));
    CHECK(cudnnDropoutForward(handle, dropout, pixels.d, px.p, pixels.d, py.p, reserve.p, reserved));
    CHECK(cudnnDropoutBackward(handle, dropout, pixels.d, px.p, pixels.d, pdx.p, reserve.p, reserved));
    int kept = 0;
    const Numbers y = py.read();
    for (int i = 0; i < count; ++i) {
        kept += y[i] != 0;
        wanted[i] = y[i] != 0 ? 2.0 * x[i] : 0.0;
    }
    failures += kept == 0 || kept == count;
    close("dropout of channels that lie last", y, wanted);
    close("its gradient", pdx.read(), wanted);
    failures += cudnnDropoutForward(handle, dropout, planes.d, px.p, pixels.d, py.p, reserve.p, reserved) == CUDNN_STATUS_SUCCESS;
    CHECK(cudnnDestroyDropoutDescriptor(dropout));
}

static void logarithm()
{
    const Shape s{2, 3, 1, 2};
    Tensor t(s);
    const int count = s.n * s.c * s.h * s.w;
    const Numbers x = noise(count, 63), dy = noise(count, 64);
    Array px(x), py(Numbers(count, NAN)), pdy(dy), pdx(Numbers(count, NAN));
    const float one = 1, zero = 0;
    CHECK(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL, &one, t.d, px.p, &zero, t.d, py.p));
    CHECK(cudnnSoftmaxBackward(handle, CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_CHANNEL, &one, t.d, py.p, t.d, pdy.p, &zero, t.d, pdx.p));
    std::vector<double> y(count), dx(count);
    for (int n = 0; n < s.n; ++n)
        for (int at = 0; at < s.h * s.w; ++at) {
            auto place = [&](int c) { return (n * s.c + c) * s.h * s.w + at; };
            double sum = 0, slopes = 0;
            for (int c = 0; c < s.c; ++c)
                sum += std::exp(double(x[place(c)])), slopes += dy[place(c)];
            for (int c = 0; c < s.c; ++c) {
                y[place(c)] = x[place(c)] - std::log(sum);
                dx[place(c)] = dy[place(c)] - std::exp(y[place(c)]) * slopes;
            }
        }
    close("the logarithm of softmax", py.read(), y);
    close("its gradient", pdx.read(), dx);
}

static void channels()
{
    const Shape s{1, 3, 5, 5};
    Tensor x(s), y(s);
    Filter w({3, 1, 3, 3});
    cudnnConvolutionDescriptor_t c;
    CHECK(cudnnCreateConvolutionDescriptor(&c));
    CHECK(cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnSetConvolutionGroupCount(c, 3));
    int most = 0, found = 0, dims[4];
    CHECK(cudnnGetConvolutionForwardAlgorithmMaxCount(handle, &most));
    std::vector<cudnnConvolutionFwdAlgoPerf_t> all(most);
    CHECK(cudnnFindConvolutionForwardAlgorithm(handle, x.d, w.d, c, y.d, most, &found, all.data()));
    failures += found < 1 || all[0].status != CUDNN_STATUS_SUCCESS;
    CHECK(cudnnGetConvolution2dForwardOutputDim(c, x.d, w.d, &dims[0], &dims[1], &dims[2], &dims[3]));
    failures += dims[0] != 1 || dims[1] != 3 || dims[2] != 5 || dims[3] != 5;
    const Numbers in = noise(75, 65), weights = noise(27, 66);
    Array px(in), pw(weights), py(Numbers(75, NAN)), space(Numbers(all[0].memory / 4 + 1));
    const float one = 1, zero = 0;
    CHECK(cudnnConvolutionForward(handle, &one, x.d, px.p, w.d, pw.p, c, all[0].algo, space.p, all[0].memory, &zero, y.d, py.p));
    std::vector<double> wanted(75, 0.0);
    for (int channel = 0; channel < 3; ++channel)
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 5; ++column)
                for (int at = 0; at < 9; ++at) {
                    const int r = row + at / 3 - 1, k = column + at % 3 - 1;
                    if (r >= 0 && r < 5 && k >= 0 && k < 5)
                        wanted[channel * 25 + row * 5 + column] += double(weights[channel * 9 + at]) * in[channel * 25 + r * 5 + k];
                }
    close("channels by themselves", py.read(), wanted);
    CHECK(cudnnDestroyConvolutionDescriptor(c));
}

static void volumes()
{
    const int dims[5] = {1, 2, 2, 3, 2}, strides[5] = {24, 12, 6, 2, 1}, of_bias[5] = {1, 2, 1, 1, 1}, bias_strides[5] = {2, 1, 1, 1, 1};
    cudnnTensorDescriptor_t y, b;
    CHECK(cudnnCreateTensorDescriptor(&y));
    CHECK(cudnnCreateTensorDescriptor(&b));
    CHECK(cudnnSetTensorNdDescriptor(y, CUDNN_DATA_FLOAT, 5, dims, strides));
    CHECK(cudnnSetTensorNdDescriptor(b, CUDNN_DATA_FLOAT, 5, of_bias, bias_strides));
    const Numbers before = noise(24, 67), bias = noise(2, 68);
    Array py(before), pb(bias);
    const float one = 1;
    CHECK(cudnnAddTensor(handle, &one, b, pb.p, &one, y, py.p));
    std::vector<double> wanted;
    for (int at = 0; at < 24; ++at)
        wanted.push_back(double(before[at]) + bias[at / 12]);
    close("a bias of volumes", py.read(), wanted);
    cudnnDestroyTensorDescriptor(y);
    cudnnDestroyTensorDescriptor(b);
}

static void pools()
{
    Tensor x({2, 3, 7, 9});
    cudnnPoolingDescriptor_t p;
    CHECK(cudnnCreatePoolingDescriptor(&p));
    CHECK(cudnnSetPooling2dDescriptor(p, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, CUDNN_PROPAGATE_NAN, 3, 3, 1, 1, 2, 2));
    int d[4] = {0, 0, 0, 0}, nd[4] = {0, 0, 0, 0};
    CHECK(cudnnGetPooling2dForwardOutputDim(p, x.d, &d[0], &d[1], &d[2], &d[3]));
    CHECK(cudnnGetPoolingNdForwardOutputDim(p, x.d, 4, nd));
    failures += d[0] != 2 || d[1] != 3 || d[2] != 4 || d[3] != 5 || !std::equal(d, d + 4, nd);
    CHECK(cudnnDestroyPoolingDescriptor(p));
}

static void places()
{
    const Shape from{2, 5, 1, 1}, to{2, 1, 1, 1};
    Tensor a(from), c(to);
    const Numbers x = {1, 7, 3, 2, 5, 4, 0, 6, 9, 8};
    Array px(x), py(Numbers(2, NAN));
    cudnnReduceTensorDescriptor_t r;
    CHECK(cudnnCreateReduceTensorDescriptor(&r));
    CHECK(cudnnSetReduceTensorDescriptor(r, CUDNN_REDUCE_TENSOR_MAX, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES, CUDNN_32BIT_INDICES));
    size_t indices = 0, bytes = 0;
    CHECK(cudnnGetReductionIndicesSize(handle, r, a.d, c.d, &indices));
    CHECK(cudnnGetReductionWorkspaceSize(handle, r, a.d, c.d, &bytes));
    Array at(Numbers(indices / 4 + 1)), space(Numbers(bytes / 4 + 1));
    const float one = 1, zero = 0;
    CHECK(cudnnReduceTensor(handle, r, at.p, indices, space.p, bytes, &one, a.d, px.p, &zero, c.d, py.p));
    close("greatest elements", py.read(), {7, 9});
    unsigned found[2];
    cudaMemcpy(found, at.p, sizeof(found), cudaMemcpyDeviceToHost);
    failures += found[0] != 1 || found[1] != 3;
    CHECK(cudnnDestroyReduceTensorDescriptor(r));
}

int main()
{
    CHECK(cudnnCreate(&handle));
    formats();
    pixels();
    elements();
    logarithm();
    channels();
    volumes();
    pools();
    places();
    CHECK(cudnnDestroy(handle));
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
