// A small network in the manner of caffe: ten steps, each of two halves of a batch whose gradients are added up (beta = 1), against the
// same steps by the formulas.
#include "device.hpp"

static const Shape xs = {4, 2, 8, 8}, w1s = {3, 2, 3, 3}, w2s = {5, 3, 4, 4};
static const Conv first = {1, 1, 1}, second = {0, 1, 1};
static const MaxPool pool = {2, 0, 2};
static const float rate = 0.05f;

struct Net {
    Numbers w1 = noise(w1s.size(), 1, 0.5f), b1 = noise(3, 2, 0.1f), w2 = noise(w2s.size(), 3, 0.3f);
};

static Numbers images(int half) { return noise(xs.size(), 40 + half); }
static int label(int half, int n) { return (3 * half + n) % 5; }

static void step(Numbers &w, const Numbers &dw)
{
    for (size_t i = 0; i < w.size(); ++i)
        w[i] -= rate * dw[i];
}

// The loss of one step by the formulas.
static double by_formula(Net &net)
{
    const Shape y1s = first.out(xs, w1s), ps = pool.out(y1s), ys = second.out(ps, w2s);
    Numbers dw1(w1s.size()), db1(3), dw2(w2s.size());
    double loss = 0;
    for (int half = 0; half < 2; ++half) {
        const Numbers x = images(half);
        Numbers y1 = first.forward(xs, x, w1s, net.w1);
        for (int i = 0; i < y1s.size(); ++i)
            y1[i] = std::tanh(y1[i] + net.b1[i / (y1s.h * y1s.w) % 3]);
        const std::vector<int> places = pool.places(y1s, y1);
        Numbers p(ps.size());
        for (int i = 0; i < ps.size(); ++i)
            p[i] = y1[places[i]];
        const Numbers y = second.forward(ps, p, w2s, net.w2);
        Numbers dy(ys.size());
        for (int n = 0; n < ys.n; ++n) {
            double sum = 0;
            for (int k = 0; k < 5; ++k)
                sum += std::exp(double(y[n * 5 + k]));
            for (int k = 0; k < 5; ++k)
                dy[n * 5 + k] = float((std::exp(double(y[n * 5 + k])) / sum - (k == label(half, n))) / 8);
            loss -= std::log(std::exp(double(y[n * 5 + label(half, n)])) / sum) / 8;
        }
        const Numbers more2 = second.filter(ps, p, w2s, dy), dp = second.data(ps, w2s, net.w2, dy);
        Numbers d1(y1s.size());
        for (int i = 0; i < ps.size(); ++i)
            d1[places[i]] += dp[i];
        for (int i = 0; i < y1s.size(); ++i) {
            d1[i] *= 1 - y1[i] * y1[i];
            db1[i / (y1s.h * y1s.w) % 3] += d1[i];
        }
        const Numbers more1 = first.filter(xs, x, w1s, d1);
        for (size_t i = 0; i < dw1.size(); ++i)
            dw1[i] += more1[i];
        for (size_t i = 0; i < dw2.size(); ++i)
            dw2[i] += more2[i];
    }
    step(net.w1, dw1);
    step(net.b1, db1);
    step(net.w2, dw2);
    return loss;
}

class Layer {
public:
    Layer(cudnnHandle_t h, Conv conv, Shape x, Shape w) : handle_(h), x_(x), y_(conv.out(x, w)), w_(w)
    {
        CHECK(cudnnCreateConvolutionDescriptor(&conv_));
        CHECK(cudnnSetConvolution2dDescriptor(conv_, conv.pad, conv.pad, conv.stride, conv.stride, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
        size_t bytes[3];
        CHECK(cudnnGetConvolutionForwardAlgorithm(h, x_.d, w_.d, conv_, y_.d, CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, 1 << 20, &fwd_));
        CHECK(cudnnGetConvolutionBackwardDataAlgorithm(h, w_.d, y_.d, conv_, x_.d, CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT, 1 << 20, &data_));
        CHECK(cudnnGetConvolutionBackwardFilterAlgorithm(h, x_.d, y_.d, conv_, w_.d, CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, 1 << 20, &filter_));
        CHECK(cudnnGetConvolutionForwardWorkspaceSize(h, x_.d, w_.d, conv_, y_.d, fwd_, &bytes[0]));
        CHECK(cudnnGetConvolutionBackwardDataWorkspaceSize(h, w_.d, y_.d, conv_, x_.d, data_, &bytes[1]));
        CHECK(cudnnGetConvolutionBackwardFilterWorkspaceSize(h, x_.d, y_.d, conv_, w_.d, filter_, &bytes[2]));
        for (size_t one : bytes)
            bytes_ = one > bytes_ ? one : bytes_;
        cudaMalloc(&space_, bytes_);
    }
    ~Layer()
    {
        cudaFree(space_);
        cudnnDestroyConvolutionDescriptor(conv_);
    }
    void forward(const float *x, const float *w, float *y)
    {
        CHECK(cudnnConvolutionForward(handle_, &one_, x_.d, x, w_.d, w, conv_, fwd_, space_, bytes_, &zero_, y_.d, y));
    }
    void backward(const float *x, const float *w, const float *dy, float *dw, float *dx)
    {
        CHECK(cudnnConvolutionBackwardFilter(handle_, &one_, x_.d, x, y_.d, dy, conv_, filter_, space_, bytes_, &one_, w_.d, dw));
        if (dx)
            CHECK(cudnnConvolutionBackwardData(handle_, &one_, w_.d, w, y_.d, dy, conv_, data_, space_, bytes_, &zero_, x_.d, dx));
    }
    cudnnTensorDescriptor_t y() const { return y_.d; }

private:
    cudnnHandle_t handle_;
    Tensor x_, y_;
    Filter w_;
    cudnnConvolutionDescriptor_t conv_;
    cudnnConvolutionFwdAlgo_t fwd_;
    cudnnConvolutionBwdDataAlgo_t data_;
    cudnnConvolutionBwdFilterAlgo_t filter_;
    void *space_ = nullptr;
    size_t bytes_ = 0;
    const float one_ = 1.0f, zero_ = 0.0f;
};

int main()
{
    Net formula, net;
    const Shape y1s = first.out(xs, w1s), ps = pool.out(y1s), ys = second.out(ps, w2s);
    cudnnHandle_t h;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    CHECK(cudnnCreate(&h));
    CHECK(cudnnSetStream(h, stream));
    Layer one(h, first, xs, w1s), two(h, second, ps, w2s);
    Tensor bias({1, 3, 1, 1}), pooled(ps);
    cudnnActivationDescriptor_t tanh_;
    cudnnPoolingDescriptor_t pool_;
    CHECK(cudnnCreateActivationDescriptor(&tanh_));
    CHECK(cudnnSetActivationDescriptor(tanh_, CUDNN_ACTIVATION_TANH, CUDNN_PROPAGATE_NAN, 0.0));
    CHECK(cudnnCreatePoolingDescriptor(&pool_));
    CHECK(cudnnSetPooling2dDescriptor(pool_, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    const float unit = 1, zero = 0;
    double before = 0, last = 0;
    for (int at = 0; at < 10; ++at) {
        Array w1(net.w1), b1(net.b1), w2(net.w2), dw1(Numbers(w1s.size())), db1(Numbers(3)), dw2(Numbers(w2s.size()));
        double loss = 0;
        for (int half = 0; half < 2; ++half) {
            Array x(images(half)), y1(Numbers(y1s.size())), p(Numbers(ps.size())), y(Numbers(ys.size())), dp(Numbers(ps.size())), d1(Numbers(y1s.size()));
            one.forward(x.p, w1.p, y1.p);
            CHECK(cudnnAddTensor(h, &unit, bias.d, b1.p, &unit, one.y(), y1.p));
            CHECK(cudnnActivationForward(h, tanh_, &unit, one.y(), y1.p, &zero, one.y(), y1.p));
            CHECK(cudnnPoolingForward(h, pool_, &unit, one.y(), y1.p, &zero, pooled.d, p.p));
            two.forward(p.p, w2.p, y.p);
            CHECK(cudnnSoftmaxForward(h, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &unit, two.y(), y.p, &zero, two.y(), y.p));
            Numbers dy = y.read();
            for (int n = 0; n < ys.n; ++n) {
                loss -= std::log(double(dy[n * 5 + label(half, n)])) / 8;
                dy[n * 5 + label(half, n)] -= 1;
            }
            for (float &each : dy)
                each /= 8;
            Array pdy(dy);
            two.backward(p.p, w2.p, pdy.p, dw2.p, dp.p);
            CHECK(cudnnPoolingBackward(h, pool_, &unit, pooled.d, p.p, pooled.d, dp.p, one.y(), y1.p, &zero, one.y(), d1.p));
            CHECK(cudnnActivationBackward(h, tanh_, &unit, one.y(), y1.p, one.y(), d1.p, one.y(), y1.p, &zero, one.y(), d1.p));
            CHECK(cudnnConvolutionBackwardBias(h, &unit, one.y(), d1.p, &unit, bias.d, db1.p));
            one.backward(x.p, w1.p, d1.p, dw1.p, nullptr);
            cudaStreamSynchronize(stream);
        }
        step(net.w1, dw1.read());
        step(net.b1, db1.read());
        step(net.w2, dw2.read());
        const double wanted = by_formula(formula);
        std::printf("step %d: loss %.6f, by the formulas %.6f\n", at, loss, wanted);
        failures += !(std::fabs(loss - wanted) < 1e-4);
        before = at == 0 ? loss : before;
        last = loss;
    }
    failures += !(last < before);
    cudnnDestroyPoolingDescriptor(pool_);
    cudnnDestroyActivationDescriptor(tanh_);
    cudnnDestroy(h);
    cudaStreamDestroy(stream);
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
