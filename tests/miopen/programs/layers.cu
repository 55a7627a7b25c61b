// Layers of cuDNN with scalings, modes and formats, each against its formula.
#include "device.hpp"

static cudnnHandle_t handle;
static const float scalings[][2] = {{1, 0}, {2, 0}, {1, 1}, {0.5f, -2}};

static void convolutions(Conv conv, Shape xs, Shape ws)
{
    const Shape ys = conv.out(xs, ws), bs = {1, ys.c, 1, 1};
    const Numbers x = noise(xs.size(), 1), w = noise(ws.size(), 2), dy = noise(ys.size(), 3), old = noise(ys.size(), 4);
    Tensor xd(xs), yd(ys), bd(bs);
    Filter wd(ws);
    cudnnConvolutionDescriptor_t cd;
    CHECK(cudnnCreateConvolutionDescriptor(&cd));
    CHECK(cudnnSetConvolution2dDescriptor(cd, conv.pad, conv.pad, conv.stride, conv.stride, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnSetConvolutionGroupCount(cd, conv.groups));
    CHECK(cudnnSetConvolutionMathType(cd, CUDNN_TENSOR_OP_MATH));
    int n, c, h, k;
    CHECK(cudnnGetConvolution2dForwardOutputDim(cd, xd.d, wd.d, &n, &c, &h, &k));
    failures += n != ys.n || c != ys.c || h != ys.h || k != ys.w;

    cudnnConvolutionFwdAlgo_t fwd;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardAlgorithm(handle, xd.d, wd.d, cd, yd.d, CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, 0, &fwd));
    failures += fwd != CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
    cudnnConvolutionFwdAlgoPerf_t perf[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int most = 0, count = 0;
    CHECK(cudnnGetConvolutionForwardAlgorithmMaxCount(handle, &most));
    CHECK(cudnnGetConvolutionForwardAlgorithm_v7(handle, xd.d, wd.d, cd, yd.d, most, &count, perf));
    failures += count < 1 || perf[0].algo != CUDNN_CONVOLUTION_FWD_ALGO_GEMM || perf[0].status != CUDNN_STATUS_SUCCESS;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, xd.d, wd.d, cd, yd.d, perf[0].algo, &bytes));
    failures += bytes < perf[0].memory;
    Array space(Numbers(bytes / 4 + 1));

    for (const auto &s : scalings) {
        const float alpha = s[0], beta = s[1];
        Array px(x), pw(w), py(old), pdy(dy), pdx(x), pdw(w), pb(noise(ys.c, 5));
        CHECK(cudnnConvolutionForward(handle, &alpha, xd.d, px.p, wd.d, pw.p, cd, fwd, space.p, bytes, &beta, yd.d, py.p));
        near("forward", py.read(), blended(alpha, conv.forward(xs, x, ws, w), beta, old));
        // A workspace that the program does not give.
        CHECK(cudnnConvolutionBackwardData(handle, &alpha, wd.d, pw.p, yd.d, pdy.p, cd, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &beta, xd.d, pdx.p));
        near("backward data", pdx.read(), blended(alpha, conv.data(xs, ws, w, dy), beta, x));
        CHECK(cudnnConvolutionBackwardFilter(handle, &alpha, xd.d, px.p, yd.d, pdy.p, cd, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, space.p, bytes, &beta, wd.d, pdw.p));
        near("backward filter", pdw.read(), blended(alpha, conv.filter(xs, x, ws, dy), beta, w));
        Numbers sums(ys.c);
        for (int i = 0; i < ys.size(); ++i)
            sums[i / (ys.h * ys.w) % ys.c] += dy[i];
        CHECK(cudnnConvolutionBackwardBias(handle, &alpha, yd.d, pdy.p, &beta, bd.d, pb.p));
        near("backward bias", pb.read(), blended(alpha, sums, beta, noise(ys.c, 5)), 1e-4f);
    }
    cudnnDestroyConvolutionDescriptor(cd);
}

// The same numbers with the channels last give the same result with the channels last.
static void channels_last()
{
    const Shape xs = {2, 3, 5, 4}, ws = {4, 3, 3, 3};
    const Conv conv = {1, 1, 1};
    const Shape ys = conv.out(xs, ws);
    const Numbers x = noise(xs.size(), 6), w = noise(ws.size(), 7);
    auto last = [](Shape s, const Numbers &all) {
        Numbers moved(all.size());
        for (int n = 0; n < s.n; ++n)
            for (int c = 0; c < s.c; ++c)
                for (int y = 0; y < s.h; ++y)
                    for (int k = 0; k < s.w; ++k)
                        moved[((n * s.h + y) * s.w + k) * s.c + c] = all[s.at(n, c, y, k)];
        return moved;
    };
    Tensor xd(xs, CUDNN_TENSOR_NHWC), yd(ys, CUDNN_TENSOR_NHWC);
    Filter wd(ws, CUDNN_TENSOR_NHWC);
    cudnnConvolutionDescriptor_t cd;
    CHECK(cudnnCreateConvolutionDescriptor(&cd));
    CHECK(cudnnSetConvolution2dDescriptor(cd, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    Array px(last(xs, x)), pw(last(ws, w)), py(Numbers(ys.size(), NAN));
    const float one = 1, zero = 0;
    CHECK(cudnnConvolutionForward(handle, &one, xd.d, px.p, wd.d, pw.p, cd, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &zero, yd.d, py.p));
    near("channels last", py.read(), last(ys, conv.forward(xs, x, ws, w)));
    cudnnDestroyConvolutionDescriptor(cd);
    cudnnTensorFormat_t format;
    cudnnDataType_t type;
    int k, c, h, r;
    CHECK(cudnnGetFilter4dDescriptor(wd.d, &type, &format, &k, &c, &h, &r));
    failures += format != CUDNN_TENSOR_NHWC || k != 4 || c != 3 || h != 3 || r != 3;
}

static void sums()
{
    const Shape s = {2, 3, 4, 5}, bs = {1, 3, 1, 1};
    const Numbers y = noise(s.size(), 8), b = noise(3, 9);
    Tensor yd(s), bd(bs);
    for (const auto &scaling : scalings) {
        const float alpha = scaling[0], beta = scaling[1];
        Array py(y), pb(b);
        Numbers wide(s.size());
        for (int i = 0; i < s.size(); ++i)
            wide[i] = b[i / 20 % 3];
        CHECK(cudnnAddTensor(handle, &alpha, bd.d, pb.p, &beta, yd.d, py.p));
        near("add", py.read(), blended(alpha, wide, beta, y));
    }
    cudnnOpTensorDescriptor_t op;
    CHECK(cudnnCreateOpTensorDescriptor(&op));
    CHECK(cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_MUL, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
    Array py(y), pb(b);
    const float two = 2, half = 0.5f, one = 1;
    Numbers product(s.size());
    for (int i = 0; i < s.size(); ++i)
        product[i] = 2 * y[i] * 0.5f * b[i / 20 % 3] + y[i];
    CHECK(cudnnOpTensor(handle, op, &two, yd.d, py.p, &half, bd.d, pb.p, &one, yd.d, py.p));
    near("product", py.read(), product);
    CHECK(cudnnDestroyOpTensorDescriptor(op));
    // Scalings of tensors of double are double.
    cudnnTensorDescriptor_t d;
    CHECK(cudnnCreateTensorDescriptor(&d));
    CHECK(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 1, 1, 1, 2));
    double host[2] = {3, 4}, *p = nullptr;
    const double three = 3, unit = 1;
    cudaMalloc(&p, sizeof(host));
    cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
    CHECK(cudnnAddTensor(handle, &three, d, p, &unit, d, p));
    cudaDeviceSynchronize();
    cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost);
    failures += host[0] != 12 || host[1] != 16;
    cudaFree(p);
    cudnnDestroyTensorDescriptor(d);
}

static void activations()
{
    const Shape s = {2, 3, 4, 5};
    const Numbers x = noise(s.size(), 10, 3.0f), dy = noise(s.size(), 11), old = noise(s.size(), 12);
    struct Kind { cudnnActivationMode_t mode; double coefficient; double (*f)(double), (*slope)(double); } kinds[] = {
        {CUDNN_ACTIVATION_TANH, 0.0, [](double v) { return std::tanh(v); }, [](double v) { return 1 - std::tanh(v) * std::tanh(v); }},
        {CUDNN_ACTIVATION_SIGMOID, 0.0, [](double v) { return 1 / (1 + std::exp(-v)); }, [](double v) { double e = 1 / (1 + std::exp(-v)); return e * (1 - e); }},
        {CUDNN_ACTIVATION_RELU, 0.0, [](double v) { return v > 0 ? v : 0; }, [](double v) { return v > 0 ? 1.0 : 0; }},
        {CUDNN_ACTIVATION_CLIPPED_RELU, 1.5, [](double v) { return v > 1.5 ? 1.5 : v > 0 ? v : 0; }, [](double v) { return v > 0 && v <= 1.5 ? 1.0 : 0; }},
        {CUDNN_ACTIVATION_ELU, 0.5, [](double v) { return v > 0 ? v : 0.5 * std::expm1(v); }, [](double v) { return v > 0 ? 1 : 0.5 * std::exp(v); }},
    };
    Tensor d(s);
    cudnnActivationDescriptor_t a;
    CHECK(cudnnCreateActivationDescriptor(&a));
    // A mode that stands in the call.
    CHECK(cudnnSetActivationDescriptor(a, CUDNN_ACTIVATION_TANH, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    for (int pass = -1; pass < 5; ++pass) {
        const Kind &kind = kinds[pass < 0 ? 0 : pass];
        if (pass >= 0)
            CHECK(cudnnSetActivationDescriptor(a, kind.mode, CUDNN_NOT_PROPAGATE_NAN, kind.coefficient));
        Numbers y(s.size()), dx(s.size());
        for (int i = 0; i < s.size(); ++i) {
            y[i] = float(kind.f(x[i]));
            dx[i] = float(kind.slope(x[i]) * dy[i]);
        }
        for (const auto &scaling : scalings) {
            const float alpha = scaling[0], beta = scaling[1];
            Array px(x), py(old), pdy(dy), pdx(old), value(y);
            CHECK(cudnnActivationForward(handle, a, &alpha, d.d, px.p, &beta, d.d, py.p));
            near("activation", py.read(), blended(alpha, y, beta, old));
            CHECK(cudnnActivationBackward(handle, a, &alpha, d.d, value.p, d.d, pdy.p, d.d, px.p, &beta, d.d, pdx.p));
            near("its gradient", pdx.read(), blended(alpha, dx, beta, old));
        }
    }
    CHECK(cudnnDestroyActivationDescriptor(a));
}

static void pooling(int window)
{
    const MaxPool pool = {window, 1, 2};
    const Shape xs = {2, 2, 19, 18}, ys = pool.out(xs);
    const Numbers x = noise(xs.size(), 13), dy = noise(ys.size(), 14), old = noise(xs.size(), 15);
    const std::vector<int> places = pool.places(xs, x);
    Numbers y(ys.size()), dx(xs.size());
    for (int i = 0; i < ys.size(); ++i) {
        y[i] = x[places[i]];
        dx[places[i]] += dy[i];
    }
    Tensor xd(xs), yd(ys);
    cudnnPoolingDescriptor_t p;
    CHECK(cudnnCreatePoolingDescriptor(&p));
    CHECK(cudnnSetPooling2dDescriptor(p, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, window, window, 1, 1, 2, 2));
    for (const auto &scaling : scalings) {
        const float alpha = scaling[0], beta = scaling[1];
        Array px(x), py(dy), pdy(dy), pdx(old), value(y);
        CHECK(cudnnPoolingForward(handle, p, &alpha, xd.d, px.p, &beta, yd.d, py.p));
        near("maximum", py.read(), blended(alpha, y, beta, dy));
        CHECK(cudnnPoolingBackward(handle, p, &alpha, yd.d, value.p, yd.d, pdy.p, xd.d, px.p, &beta, xd.d, pdx.p));
        near("its gradient", pdx.read(), blended(alpha, dx, beta, old), 1e-4f);
    }
    // The mean of what lies inside, and its gradient: each place of y gives its share.
    CHECK(cudnnSetPooling2dDescriptor(p, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, CUDNN_NOT_PROPAGATE_NAN, window, window, 1, 1, 2, 2));
    Array px(x), py(dy), pdy(Numbers(ys.size(), 1.0f)), pdx(old);
    const float one = 1, zero = 0;
    CHECK(cudnnPoolingForward(handle, p, &one, xd.d, px.p, &zero, yd.d, py.p));
    CHECK(cudnnPoolingBackward(handle, p, &one, yd.d, py.p, yd.d, pdy.p, xd.d, px.p, &zero, xd.d, pdx.p));
    double total = 0;
    for (float share : pdx.read())
        total += share;
    failures += std::fabs(total - ys.size()) > 1e-3;
    CHECK(cudnnDestroyPoolingDescriptor(p));
}

template <class F, class... A> cudnnStatus_t through(F f, A... a) { return f(a...); }

static void softmax()
{
    const Shape s = {3, 4, 2, 1};
    const Numbers x = noise(s.size(), 16, 2.0f), dy = noise(s.size(), 17), old = noise(s.size(), 18);
    Numbers y(s.size()), dx(s.size());
    for (int n = 0; n < s.n; ++n)
        for (int k = 0; k < s.h; ++k) {
            double sum = 0, dot = 0;
            for (int c = 0; c < s.c; ++c)
                sum += std::exp(double(x[s.at(n, c, k, 0)]));
            for (int c = 0; c < s.c; ++c)
                y[s.at(n, c, k, 0)] = float(std::exp(double(x[s.at(n, c, k, 0)])) / sum);
            for (int c = 0; c < s.c; ++c)
                dot += double(y[s.at(n, c, k, 0)]) * dy[s.at(n, c, k, 0)];
            for (int c = 0; c < s.c; ++c)
                dx[s.at(n, c, k, 0)] = float(y[s.at(n, c, k, 0)] * (dy[s.at(n, c, k, 0)] - dot));
        }
    Tensor d(s);
    for (const auto &scaling : scalings) {
        const float alpha = scaling[0], beta = scaling[1];
        Array px(x), py(old), pdy(dy), pdx(old), value(y);
        CHECK(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &alpha, d.d, px.p, &beta, d.d, py.p));
        near("softmax", py.read(), blended(alpha, y, beta, old));
        CHECK(through(cudnnSoftmaxBackward, handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &alpha, d.d, value.p, d.d, pdy.p, &beta, d.d, pdx.p));
        near("its gradient", pdx.read(), blended(alpha, dx, beta, old));
    }
}

static void neighbours()
{
    const Shape s = {2, 7, 2, 3};
    const Numbers x = noise(s.size(), 19, 2.0f), dy = noise(s.size(), 20), old = noise(s.size(), 21);
    const double a = 0.3, b = 0.75, k = 1.0;
    auto scale = [&](int n, int c, int i, int j) {
        double sum = 0;
        for (int other = c - 2; other <= c + 2; ++other)
            if (other >= 0 && other < s.c)
                sum += double(x[s.at(n, other, i, j)]) * x[s.at(n, other, i, j)];
        return k + a / 5 * sum;
    };
    Numbers y(s.size()), dx(s.size());
    for (int n = 0; n < s.n; ++n)
        for (int c = 0; c < s.c; ++c)
            for (int i = 0; i < s.h; ++i)
                for (int j = 0; j < s.w; ++j)
                    y[s.at(n, c, i, j)] = float(x[s.at(n, c, i, j)] * std::pow(scale(n, c, i, j), -b));
    for (int n = 0; n < s.n; ++n)
        for (int c = 0; c < s.c; ++c)
            for (int i = 0; i < s.h; ++i)
                for (int j = 0; j < s.w; ++j) {
                    double sum = 0;
                    for (int other = c - 2; other <= c + 2; ++other)
                        if (other >= 0 && other < s.c)
                            sum += double(dy[s.at(n, other, i, j)]) * y[s.at(n, other, i, j)] / scale(n, other, i, j);
                    const int at = s.at(n, c, i, j);
                    dx[at] = float(dy[at] * std::pow(scale(n, c, i, j), -b) - 2 * a / 5 * b * x[at] * sum);
                }
    Tensor d(s);
    cudnnLRNDescriptor_t l;
    CHECK(cudnnCreateLRNDescriptor(&l));
    CHECK(cudnnSetLRNDescriptor(l, 5, a, b, k));
    for (const auto &scaling : scalings) {
        const float alpha = scaling[0], beta = scaling[1];
        Array px(x), py(old), pdy(dy), pdx(old), value(y);
        CHECK(cudnnLRNCrossChannelForward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha, d.d, px.p, &beta, d.d, py.p));
        near("neighbours", py.read(), blended(alpha, y, beta, old));
        CHECK(cudnnLRNCrossChannelBackward(handle, l, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha, d.d, value.p, d.d, pdy.p, d.d, px.p, &beta, d.d, pdx.p));
        near("their gradient", pdx.read(), blended(alpha, dx, beta, old), 1e-4f);
    }
    CHECK(cudnnDestroyLRNDescriptor(l));
}

static void batch_norm()
{
    const Shape s = {3, 2, 2, 2};
    const double epsilon = 1e-3, count = 12;
    const Numbers x = noise(s.size(), 22), dy = noise(s.size(), 23), scale = {1.5f, -0.5f}, bias = {0.25f, 2.0f};
    double mean[2] = {}, variance[2] = {};
    for (int i = 0; i < s.size(); ++i)
        mean[i / 4 % 2] += x[i] / count;
    for (int i = 0; i < s.size(); ++i)
        variance[i / 4 % 2] += (x[i] - mean[i / 4 % 2]) * (x[i] - mean[i / 4 % 2]) / count;
    Numbers y(s.size()), dx(s.size()), dscale(2), dbias(2);
    auto normal = [&](int i) { return (x[i] - mean[i / 4 % 2]) / std::sqrt(variance[i / 4 % 2] + epsilon); };
    for (int i = 0; i < s.size(); ++i) {
        y[i] = float(scale[i / 4 % 2] * normal(i) + bias[i / 4 % 2]);
        dscale[i / 4 % 2] += float(dy[i] * normal(i));
        dbias[i / 4 % 2] += dy[i];
    }
    for (int i = 0; i < s.size(); ++i) {
        const int c = i / 4 % 2;
        dx[i] = float(scale[c] / std::sqrt(variance[c] + epsilon) * (dy[i] - dbias[c] / count - normal(i) * dscale[c] / count));
    }
    Tensor d(s);
    cudnnTensorDescriptor_t pd;
    CHECK(cudnnCreateTensorDescriptor(&pd));
    CHECK(cudnnDeriveBNTensorDescriptor(pd, d.d, CUDNN_BATCHNORM_SPATIAL));
    Array px(x), py(dy), pdy(dy), pdx(x), ps(scale), pb(bias), rm({0, 0}), rv({1, 1}), sm({0, 0}), si({0, 0}), ds({1, 2}), db({3, 4});
    const float one = 1, zero = 0;
    CHECK(cudnnBatchNormalizationForwardTraining(handle, CUDNN_BATCHNORM_SPATIAL, &one, &zero, d.d, px.p, d.d, py.p, pd, ps.p, pb.p, 0.1, rm.p, rv.p, epsilon, sm.p, si.p));
    near("normalised", py.read(), y);
    near("mean", rm.read(), {float(0.1 * mean[0]), float(0.1 * mean[1])});
    // The gradients of the parameters are added to what is there.
    CHECK(cudnnBatchNormalizationBackward(handle, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &one, d.d, px.p, d.d, pdy.p, d.d, pdx.p, pd, ps.p, ds.p, db.p, epsilon, sm.p, si.p));
    near("its gradient", pdx.read(), dx, 1e-4f);
    near("of the scale", ds.read(), {1 + dscale[0], 2 + dscale[1]}, 1e-4f);
    near("of the bias", db.read(), {3 + dbias[0], 4 + dbias[1]}, 1e-4f);

    // With a sum and ReLU behind it: the gradient of the sum is that of ReLU, and goes on into the normalisation.
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    const Numbers z = noise(s.size(), 24);
    Numbers summed(s.size()), dz(s.size());
    for (int i = 0; i < s.size(); ++i) {
        summed[i] = y[i] + z[i] > 0 ? y[i] + z[i] : 0;
        dz[i] = summed[i] > 0 ? dy[i] : 0;
    }
    Array pz(z), pdz(z), inner(dz), expected(x), es({0, 0}), eb({0, 0});
    CHECK(cudnnBatchNormalizationForwardTrainingEx(handle, CUDNN_BATCHNORM_SPATIAL, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, &one, &zero, d.d, px.p, d.d, pz.p, d.d, py.p,
                                                   pd, ps.p, pb.p, 0.1, rm.p, rv.p, epsilon, sm.p, si.p, relu, nullptr, 0, nullptr, 0));
    near("fused", py.read(), summed);
    CHECK(cudnnBatchNormalizationBackwardEx(handle, CUDNN_BATCHNORM_SPATIAL, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, &one, &zero, &one, &zero, d.d, px.p, d.d, py.p, d.d,
                                            pdy.p, d.d, pdz.p, d.d, pdx.p, pd, ps.p, pb.p, ds.p, db.p, epsilon, sm.p, si.p, relu, nullptr, 0, nullptr, 0));
    near("of the sum", pdz.read(), dz);
    CHECK(cudnnBatchNormalizationBackward(handle, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero, d.d, px.p, d.d, inner.p, d.d, expected.p, pd, ps.p, es.p, eb.p, epsilon, sm.p, si.p));
    near("fused gradient", pdx.read(), expected.read());
    near("fused scale", ds.read(), es.read());
    CHECK(cudnnDestroyActivationDescriptor(relu));
    cudnnDestroyTensorDescriptor(pd);
}

int main()
{
    CHECK(cudnnCreate(&handle));
    failures += cudnnGetVersion() == 0;
    convolutions({1, 1, 1}, {2, 3, 6, 5}, {4, 3, 3, 3});
    convolutions({0, 2, 2}, {1, 4, 7, 7}, {6, 2, 3, 2});
    channels_last();
    sums();
    activations();
    pooling(3);
    // More places than 8 bits count.
    pooling(17);
    softmax();
    neighbours();
    batch_norm();
    CHECK(cudnnDestroy(handle));
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
