// A grid of calls, shapes, modes and scalings, whose results are printed: tests/miopen/card/grid.txt is what cuDNN made of them.
#include "device.hpp"

#include <algorithm>

static cudnnHandle_t handle;

// A line: what it is, the sum, the sum of sizes, a sum that knows the places, and three elements.
static void say(const char *name, const Numbers &all)
{
    double sum = 0, sizes = 0, places = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        sum += all[i];
        sizes += std::fabs(all[i]);
        places += all[i] * ((i * 37 + 11) % 64 - 31.5) / 64;
    }
    std::printf("%s: %.6g %.6g %.6g %.6g %.6g %.6g\n", name, sum, sizes, places, all.front(), all[all.size() / 2], all.back());
}

static std::string named(const char *what, int at, float alpha, float beta)
{
    char text[128];
    std::snprintf(text, sizeof(text), "%s %d of %g and %g", what, at, alpha, beta);
    return text;
}

static const float scalings[][2] = {{1, 0}, {0.5f, 0}, {1, 1}, {2, -0.5f}};

static void convolutions()
{
    const struct {
        Shape x, w;
        int pad, stride, dilation, groups;
    } cases[] = {
        {{2, 3, 9, 8}, {4, 3, 3, 3}, 1, 1, 1, 1}, {{1, 4, 11, 11}, {6, 2, 3, 3}, 0, 2, 1, 2}, {{2, 2, 10, 9}, {3, 2, 3, 3}, 2, 1, 2, 1},
        {{2, 4, 7, 7}, {4, 1, 3, 3}, 1, 1, 1, 4}, {{3, 8, 5, 5}, {16, 8, 1, 1}, 0, 1, 1, 1},
    };
    int at = 0;
    for (const auto &c : cases) {
        Tensor xd(c.x);
        Filter wd(c.w);
        cudnnConvolutionDescriptor_t cd;
        CHECK(cudnnCreateConvolutionDescriptor(&cd));
        CHECK(cudnnSetConvolution2dDescriptor(cd, c.pad, c.pad, c.stride, c.stride, c.dilation, c.dilation, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
        CHECK(cudnnSetConvolutionGroupCount(cd, c.groups));
        CHECK(cudnnSetConvolutionMathType(cd, CUDNN_FMA_MATH));
        Shape ys;
        CHECK(cudnnGetConvolution2dForwardOutputDim(cd, xd.d, wd.d, &ys.n, &ys.c, &ys.h, &ys.w));
        Tensor yd(ys), bd({1, ys.c, 1, 1});
        const Numbers x = noise(c.x.size(), 1), w = noise(c.w.size(), 2), dy = noise(ys.size(), 3), old = noise(ys.size(), 4), b = noise(ys.c, 5);
        int found = 0;
        cudnnConvolutionFwdAlgoPerf_t fwd[8];
        cudnnConvolutionBwdDataAlgoPerf_t data[8];
        cudnnConvolutionBwdFilterAlgoPerf_t filter[8];
        CHECK(cudnnGetConvolutionForwardAlgorithm_v7(handle, xd.d, wd.d, cd, yd.d, 8, &found, fwd));
        CHECK(cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, wd.d, yd.d, cd, xd.d, 8, &found, data));
        CHECK(cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, xd.d, yd.d, cd, wd.d, 8, &found, filter));
        size_t bytes[3];
        CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, xd.d, wd.d, cd, yd.d, fwd[0].algo, &bytes[0]));
        CHECK(cudnnGetConvolutionBackwardDataWorkspaceSize(handle, wd.d, yd.d, cd, xd.d, data[0].algo, &bytes[1]));
        CHECK(cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, xd.d, yd.d, cd, wd.d, filter[0].algo, &bytes[2]));
        const size_t most = std::max(bytes[0], std::max(bytes[1], bytes[2]));
        Array space(Numbers(most / 4 + 1));
        for (const auto &s : scalings) {
            const float alpha = s[0], beta = s[1];
            Array px(x), pw(w), py(old), pdy(dy), pdx(x), pdw(w), pb(b);
            CHECK(cudnnConvolutionForward(handle, &alpha, xd.d, px.p, wd.d, pw.p, cd, fwd[0].algo, space.p, most, &beta, yd.d, py.p));
            say(named("forward", at, alpha, beta).c_str(), py.read());
            CHECK(cudnnConvolutionBackwardData(handle, &alpha, wd.d, pw.p, yd.d, pdy.p, cd, data[0].algo, space.p, most, &beta, xd.d, pdx.p));
            say(named("backward data", at, alpha, beta).c_str(), pdx.read());
            CHECK(cudnnConvolutionBackwardFilter(handle, &alpha, xd.d, px.p, yd.d, pdy.p, cd, filter[0].algo, space.p, most, &beta, wd.d, pdw.p));
            say(named("backward filter", at, alpha, beta).c_str(), pdw.read());
            CHECK(cudnnConvolutionBackwardBias(handle, &alpha, yd.d, pdy.p, &beta, bd.d, pb.p));
            say(named("backward bias", at, alpha, beta).c_str(), pb.read());
            CHECK(cudnnAddTensor(handle, &alpha, bd.d, pb.p, &beta, yd.d, py.p));
            say(named("add", at, alpha, beta).c_str(), py.read());
        }
        cudnnDestroyConvolutionDescriptor(cd);
        ++at;
    }
}

static void elements()
{
    const Shape s = {2, 3, 5, 4};
    const Numbers x = noise(s.size(), 6, 3.0f), dy = noise(s.size(), 7), old = noise(s.size(), 8);
    const struct {
        cudnnActivationMode_t mode;
        double coefficient;
    } kinds[] = {{CUDNN_ACTIVATION_SIGMOID, 0}, {CUDNN_ACTIVATION_RELU, 0}, {CUDNN_ACTIVATION_TANH, 0}, {CUDNN_ACTIVATION_CLIPPED_RELU, 1.25}, {CUDNN_ACTIVATION_ELU, 0.75}};
    Tensor d(s), bd({1, 3, 1, 1});
    cudnnActivationDescriptor_t a;
    CHECK(cudnnCreateActivationDescriptor(&a));
    for (int k = 0; k < 5; ++k) {
        CHECK(cudnnSetActivationDescriptor(a, kinds[k].mode, CUDNN_NOT_PROPAGATE_NAN, kinds[k].coefficient));
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1], one = 1, zero = 0;
            Array px(x), py(old), pdy(dy), pdx(old), value(x);
            CHECK(cudnnActivationForward(handle, a, &alpha, d.d, px.p, &beta, d.d, py.p));
            say(named("activation", k, alpha, beta).c_str(), py.read());
            CHECK(cudnnActivationForward(handle, a, &one, d.d, px.p, &zero, d.d, value.p));
            CHECK(cudnnActivationBackward(handle, a, &alpha, d.d, value.p, d.d, pdy.p, d.d, px.p, &beta, d.d, pdx.p));
            say(named("its gradient", k, alpha, beta).c_str(), pdx.read());
        }
    }
    CHECK(cudnnDestroyActivationDescriptor(a));
    const cudnnOpTensorOp_t ops[] = {CUDNN_OP_TENSOR_ADD, CUDNN_OP_TENSOR_MUL, CUDNN_OP_TENSOR_MIN, CUDNN_OP_TENSOR_MAX};
    cudnnOpTensorDescriptor_t op;
    CHECK(cudnnCreateOpTensorDescriptor(&op));
    for (int k = 0; k < 4; ++k) {
        CHECK(cudnnSetOpTensorDescriptor(op, ops[k], CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1], other = 0.75f;
            Array px(x), pb(noise(3, 9)), py(old);
            CHECK(cudnnOpTensor(handle, op, &alpha, d.d, px.p, &other, bd.d, pb.p, &beta, d.d, py.p));
            say(named("operation", k, alpha, beta).c_str(), py.read());
        }
    }
    CHECK(cudnnDestroyOpTensorDescriptor(op));
    const cudnnReduceTensorOp_t reductions[] = {CUDNN_REDUCE_TENSOR_ADD, CUDNN_REDUCE_TENSOR_MUL, CUDNN_REDUCE_TENSOR_MIN, CUDNN_REDUCE_TENSOR_MAX,
                                                CUDNN_REDUCE_TENSOR_AMAX, CUDNN_REDUCE_TENSOR_AVG, CUDNN_REDUCE_TENSOR_NORM1, CUDNN_REDUCE_TENSOR_NORM2};
    cudnnReduceTensorDescriptor_t r;
    CHECK(cudnnCreateReduceTensorDescriptor(&r));
    for (int k = 0; k < 8; ++k) {
        CHECK(cudnnSetReduceTensorDescriptor(r, reductions[k], CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
        size_t bytes = 0;
        CHECK(cudnnGetReductionWorkspaceSize(handle, r, d.d, bd.d, &bytes));
        Array space(Numbers(bytes / 4 + 1));
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1];
            Array px(noise(s.size(), 10, 1.5f)), pb(noise(3, 11));
            CHECK(cudnnReduceTensor(handle, r, nullptr, 0, space.p, bytes, &alpha, d.d, px.p, &beta, bd.d, pb.p));
            say(named("reduction", k, alpha, beta).c_str(), pb.read());
        }
    }
    CHECK(cudnnDestroyReduceTensorDescriptor(r));
}

static void pooling()
{
    const cudnnPoolingMode_t modes[] = {CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING};
    const Shape xs = {2, 3, 9, 8};
    const Numbers x = noise(xs.size(), 12);
    Tensor xd(xs);
    cudnnPoolingDescriptor_t p;
    CHECK(cudnnCreatePoolingDescriptor(&p));
    for (int k = 0; k < 6; ++k) {
        const int window = k < 3 ? 3 : 2, pad = k < 3 ? 1 : 0, stride = 2;
        CHECK(cudnnSetPooling2dDescriptor(p, modes[k % 3], CUDNN_NOT_PROPAGATE_NAN, window, window, pad, pad, stride, stride));
        Shape ys;
        CHECK(cudnnGetPooling2dForwardOutputDim(p, xd.d, &ys.n, &ys.c, &ys.h, &ys.w));
        Tensor yd(ys);
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1], one = 1, zero = 0;
            Array px(x), py(noise(ys.size(), 13)), value(noise(ys.size(), 13)), pdy(noise(ys.size(), 14)), pdx(noise(xs.size(), 15));
            CHECK(cudnnPoolingForward(handle, p, &alpha, xd.d, px.p, &beta, yd.d, py.p));
            say(named("pooling", k, alpha, beta).c_str(), py.read());
            CHECK(cudnnPoolingForward(handle, p, &one, xd.d, px.p, &zero, yd.d, value.p));
            CHECK(cudnnPoolingBackward(handle, p, &alpha, yd.d, value.p, yd.d, pdy.p, xd.d, px.p, &beta, xd.d, pdx.p));
            say(named("its gradient", k, alpha, beta).c_str(), pdx.read());
        }
    }
    CHECK(cudnnDestroyPoolingDescriptor(p));
}

static void normalisation()
{
    const Shape s = {3, 5, 4, 3};
    const Numbers x = noise(s.size(), 16, 2.0f), dy = noise(s.size(), 17), old = noise(s.size(), 18);
    Tensor d(s);
    for (int k = 0; k < 4; ++k) {
        const cudnnSoftmaxAlgorithm_t algorithm = k % 2 ? CUDNN_SOFTMAX_LOG : CUDNN_SOFTMAX_ACCURATE;
        const cudnnSoftmaxMode_t mode = k < 2 ? CUDNN_SOFTMAX_MODE_CHANNEL : CUDNN_SOFTMAX_MODE_INSTANCE;
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1], one = 1, zero = 0;
            Array px(x), py(old), value(x), pdy(dy), pdx(old);
            CHECK(cudnnSoftmaxForward(handle, algorithm, mode, &alpha, d.d, px.p, &beta, d.d, py.p));
            say(named("softmax", k, alpha, beta).c_str(), py.read());
            CHECK(cudnnSoftmaxForward(handle, algorithm, mode, &one, d.d, px.p, &zero, d.d, value.p));
            CHECK(cudnnSoftmaxBackward(handle, algorithm, mode, &alpha, d.d, value.p, d.d, pdy.p, &beta, d.d, pdx.p));
            say(named("its gradient", k, alpha, beta).c_str(), pdx.read());
        }
    }
    cudnnLRNDescriptor_t l;
    CHECK(cudnnCreateLRNDescriptor(&l));
    for (int k = 0; k < 2; ++k) {
        CHECK(cudnnSetLRNDescriptor(l, k ? 5 : 3, 0.4, 0.75, k ? 2.0 : 1.0));
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1], one = 1, zero = 0;
            Array px(x), py(old), value(x), pdy(dy), pdx(old);
            CHECK(cudnnLRNCrossChannelForward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha, d.d, px.p, &beta, d.d, py.p));
            say(named("neighbours", k, alpha, beta).c_str(), py.read());
            CHECK(cudnnLRNCrossChannelForward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, d.d, px.p, &zero, d.d, value.p));
            CHECK(cudnnLRNCrossChannelBackward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha, d.d, value.p, d.d, pdy.p, d.d, px.p, &beta, d.d, pdx.p));
            say(named("their gradient", k, alpha, beta).c_str(), pdx.read());
        }
    }
    CHECK(cudnnDestroyLRNDescriptor(l));
    cudnnTensorDescriptor_t pd;
    CHECK(cudnnCreateTensorDescriptor(&pd));
    for (int k = 0; k < 2; ++k) {
        const cudnnBatchNormMode_t mode = k ? CUDNN_BATCHNORM_PER_ACTIVATION : CUDNN_BATCHNORM_SPATIAL;
        const int count = k ? s.c * s.h * s.w : s.c;
        CHECK(cudnnDeriveBNTensorDescriptor(pd, d.d, mode));
        Numbers positive = noise(count, 19);
        for (float &one : positive)
            one = 1.5f + one;
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1];
            Array px(x), py(old), pdy(dy), pdx(old), scale(noise(count, 20)), bias(noise(count, 21)), mean(noise(count, 22)), variance(positive), saved(positive), inverse(positive);
            Array ds(noise(count, 23)), db(noise(count, 24));
            CHECK(cudnnBatchNormalizationForwardInference(handle, mode, &alpha, &beta, d.d, px.p, d.d, py.p, pd, scale.p, bias.p, mean.p, variance.p, 1e-3));
            say(named("normalised", k, alpha, beta).c_str(), py.read());
            CHECK(cudnnBatchNormalizationForwardTraining(handle, mode, &alpha, &beta, d.d, px.p, d.d, py.p, pd, scale.p, bias.p, 0.25, mean.p, variance.p, 1e-3, saved.p, inverse.p));
            say(named("normalised in training", k, alpha, beta).c_str(), py.read());
            say(named("mean", k, alpha, beta).c_str(), mean.read());
            say(named("variance", k, alpha, beta).c_str(), variance.read());
            say(named("saved mean", k, alpha, beta).c_str(), saved.read());
            say(named("saved inverse", k, alpha, beta).c_str(), inverse.read());
            CHECK(cudnnBatchNormalizationBackward(handle, mode, &alpha, &beta, &alpha, &beta, d.d, px.p, d.d, pdy.p, d.d, pdx.p, pd, scale.p, ds.p, db.p, 1e-3, saved.p, inverse.p));
            say(named("gradient of the data", k, alpha, beta).c_str(), pdx.read());
            say(named("gradient of the scale", k, alpha, beta).c_str(), ds.read());
            say(named("gradient of the bias", k, alpha, beta).c_str(), db.read());
        }
    }
    cudnnDestroyTensorDescriptor(pd);
}

int main()
{
    CHECK(cudnnCreate(&handle));
    convolutions();
    elements();
    pooling();
    normalisation();
    CHECK(cudnnDestroy(handle));
    return 0;
}
