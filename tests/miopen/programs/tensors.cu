// Dropout, reductions, half precision and five directions.
#include "device.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

static cudnnHandle_t handle;

static void dropped()
{
    const Shape s = {4, 8, 8, 8};
    const float rate = 0.25f;
    const Numbers x(s.size(), 3.0f), dy(s.size(), 1.0f);
    Tensor d(s);
    size_t bytes = 0, reserved = 0;
    CHECK(cudnnDropoutGetStatesSize(handle, &bytes));
    CHECK(cudnnDropoutGetReserveSpaceSize(d.d, &reserved));
    Array states(Numbers(bytes / 4)), kept(Numbers(reserved / 4 + 1)), px(x), py(Numbers(s.size(), NAN)), pdy(dy), pdx(Numbers(s.size(), NAN));
    std::set<Numbers> results;
    for (int seed = 0; seed < 2; ++seed)
        for (int again = 0; again < 2; ++again) {
            cudnnDropoutDescriptor_t drop;
            CHECK(cudnnCreateDropoutDescriptor(&drop));
            CHECK(cudnnSetDropoutDescriptor(drop, handle, rate, states.p, bytes, 77 + seed));
            for (int pass = 0; pass < 2; ++pass) {
                CHECK(cudnnDropoutForward(handle, drop, d.d, px.p, d.d, py.p, kept.p, reserved));
                CHECK(cudnnDropoutBackward(handle, drop, d.d, pdy.p, d.d, pdx.p, kept.p, reserved));
                const Numbers y = py.read(), dx = pdx.read();
                int zeros = 0;
                for (int i = 0; i < s.size(); ++i) {
                    zeros += y[i] == 0;
                    failures += y[i] != 0 && std::fabs(y[i] - 4.0f) > 1e-5f;
                    failures += std::fabs(dx[i] * 3 - y[i]) > 1e-5f;
                }
                // Of 2048 elements a quarter, within five standard deviations of 20.
                failures += zeros < 512 - 98 || zeros > 512 + 98;
                results.insert(y);
            }
            CHECK(cudnnDestroyDropoutDescriptor(drop));
        }
    // A seed comes again; its passes differ, and so do seeds.
    if (results.size() != 4) {
        std::printf("%zu results of two seeds and two passes\n", results.size());
        ++failures;
    }
}

static void reduced(cudnnReduceTensorOp_t op, const char *name, bool over_channels)
{
    const Shape s = {2, 3, 4, 5}, to = over_channels ? Shape{2, 1, 4, 5} : Shape{1, 3, 1, 1};
    const Numbers x = noise(s.size(), 41, 2.0f), old = noise(to.size(), 42);
    Numbers wanted(to.size());
    std::vector<std::vector<double>> values(to.size());
    for (int n = 0; n < s.n; ++n)
        for (int c = 0; c < s.c; ++c)
            for (int h = 0; h < s.h; ++h)
                for (int w = 0; w < s.w; ++w)
                    values[to.at(n % to.n, c % to.c, h % to.h, w % to.w)].push_back(x[s.at(n, c, h, w)]);
    std::vector<unsigned> places(to.size());
    for (int i = 0; i < to.size(); ++i) {
        double sum = 0, product = 1, sizes = 0, squares = 0;
        for (double v : values[i]) {
            sum += v;
            product *= v;
            sizes += std::fabs(v);
            squares += v * v;
        }
        auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
        const auto least = std::min_element(values[i].begin(), values[i].end()), most = std::max_element(values[i].begin(), values[i].end());
        const auto largest = std::max_element(values[i].begin(), values[i].end(), smaller);
        switch (op) {
        case CUDNN_REDUCE_TENSOR_ADD: wanted[i] = float(sum); break;
        case CUDNN_REDUCE_TENSOR_MUL: wanted[i] = float(product); break;
        case CUDNN_REDUCE_TENSOR_MIN: wanted[i] = float(*least); places[i] = unsigned(least - values[i].begin()); break;
        case CUDNN_REDUCE_TENSOR_MAX: wanted[i] = float(*most); places[i] = unsigned(most - values[i].begin()); break;
        case CUDNN_REDUCE_TENSOR_AMAX: wanted[i] = float(std::fabs(*largest)); places[i] = unsigned(largest - values[i].begin()); break;
        case CUDNN_REDUCE_TENSOR_AVG: wanted[i] = float(sum / values[i].size()); break;
        case CUDNN_REDUCE_TENSOR_NORM1: wanted[i] = float(sizes); break;
        default: wanted[i] = float(std::sqrt(squares));
        }
    }
    const bool is_extreme = op == CUDNN_REDUCE_TENSOR_MIN || op == CUDNN_REDUCE_TENSOR_MAX || op == CUDNN_REDUCE_TENSOR_AMAX;
    Tensor xd(s), yd(to);
    cudnnReduceTensorDescriptor_t r;
    CHECK(cudnnCreateReduceTensorDescriptor(&r));
    CHECK(cudnnSetReduceTensorDescriptor(r, op, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                         is_extreme ? CUDNN_REDUCE_TENSOR_FLATTENED_INDICES : CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
    size_t bytes = 0, index_bytes = 0;
    CHECK(cudnnGetReductionWorkspaceSize(handle, r, xd.d, yd.d, &bytes));
    CHECK(cudnnGetReductionIndicesSize(handle, r, xd.d, yd.d, &index_bytes));
    Array px(x), py(old), space(Numbers(bytes / 4 + 1)), indices(Numbers(to.size()));
    const float alpha = 2, beta = 0.5f;
    CHECK(cudnnReduceTensor(handle, r, indices.p, index_bytes, space.p, bytes, &alpha, xd.d, px.p, &beta, yd.d, py.p));
    near(name, py.read(), blended(alpha, wanted, beta, old), 1e-4f);
    if (is_extreme) {
        const Numbers found = indices.read();
        failures += std::memcmp(found.data(), places.data(), 4 * places.size()) != 0;
    }
    CHECK(cudnnDestroyReduceTensorDescriptor(r));
}

// Numbers of few bits as halves, and back.
static uint16_t half_of(float x)
{
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    const int power = int(bits >> 23 & 255) - 127;
    return x == 0 ? 0 : uint16_t((bits >> 31) << 15 | uint32_t(power + 15) << 10 | (bits >> 13 & 1023));
}
static float float_of(uint16_t h)
{
    const float mantissa = (h >> 10 & 31) ? 1 + float(h & 1023) / 1024 : float(h & 1023) / 512;
    return (h >> 15 ? -1 : 1) * std::ldexp(mantissa, int(h >> 10 & 31) - 15);
}

struct Halves {
    uint16_t *p = nullptr;
    size_t count;
    explicit Halves(const Numbers &all) : count(all.size())
    {
        std::vector<uint16_t> bits;
        for (float one : all)
            bits.push_back(half_of(one));
        cudaMalloc(&p, 2 * count);
        cudaMemcpy(p, bits.data(), 2 * count, cudaMemcpyHostToDevice);
    }
    ~Halves() { cudaFree(p); }
    Numbers read() const
    {
        std::vector<uint16_t> bits(count);
        cudaDeviceSynchronize();
        cudaMemcpy(bits.data(), p, 2 * count, cudaMemcpyDeviceToHost);
        Numbers all;
        for (uint16_t one : bits)
            all.push_back(float_of(one));
        return all;
    }
};

// Small whole numbers, whose products and sums halves hold.
static Numbers whole(int count, unsigned seed)
{
    Numbers all = noise(count, seed, 3.9f);
    for (float &one : all)
        one = float(int(one));
    return all;
}

static void halves()
{
    const Conv conv = {1, 1, 1};
    const Shape xs = {1, 2, 4, 4}, ws = {3, 2, 3, 3}, ys = conv.out(xs, ws);
    const Numbers x = whole(xs.size(), 43), w = whole(ws.size(), 44), old = whole(ys.size(), 45);
    cudnnTensorDescriptor_t xd, yd;
    cudnnFilterDescriptor_t wd;
    cudnnConvolutionDescriptor_t cd;
    CHECK(cudnnCreateTensorDescriptor(&xd));
    CHECK(cudnnCreateTensorDescriptor(&yd));
    CHECK(cudnnCreateFilterDescriptor(&wd));
    CHECK(cudnnCreateConvolutionDescriptor(&cd));
    CHECK(cudnnSetTensor4dDescriptor(xd, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, xs.n, xs.c, xs.h, xs.w));
    CHECK(cudnnSetTensor4dDescriptor(yd, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, ys.n, ys.c, ys.h, ys.w));
    CHECK(cudnnSetFilter4dDescriptor(wd, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, ws.n, ws.c, ws.h, ws.w));
    CHECK(cudnnSetConvolution2dDescriptor(cd, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    Halves px(x), pw(w), py(old);
    const float one = 1, two = 2;
    CHECK(cudnnConvolutionForward(handle, &two, xd, px.p, wd, pw.p, cd, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &one, yd, py.p));
    near("halves", py.read(), blended(2, conv.forward(xs, x, ws, w), 1, old));
    cudnnActivationDescriptor_t relu;
    CHECK(cudnnCreateActivationDescriptor(&relu));
    CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    const float zero = 0;
    Halves in(x), out(x);
    CHECK(cudnnActivationForward(handle, relu, &one, xd, in.p, &zero, xd, out.p));
    Numbers positive = x;
    for (float &each : positive)
        each = std::max(each, 0.0f);
    near("ReLU of halves", out.read(), positive);
    cudnnDestroyActivationDescriptor(relu);
    cudnnDestroyConvolutionDescriptor(cd);
    cudnnDestroyFilterDescriptor(wd);
    cudnnDestroyTensorDescriptor(yd);
    cudnnDestroyTensorDescriptor(xd);
}

// A convolution and a mean over three directions, then batch normalisation over all but the channels.
static void volumes()
{
    const int xs[5] = {1, 2, 3, 4, 5}, ws[5] = {2, 2, 2, 2, 2}, ys[5] = {1, 2, 2, 3, 4}, ps[5] = {1, 2, 1, 2, 3};
    const int pads[3] = {0, 0, 0}, steps[3] = {1, 1, 1}, window[3] = {2, 2, 2};
    const Numbers x = noise(120, 46), w = noise(32, 47);
    auto at = [](const int *s, int c, int d, int h, int k) { return ((c * s[2] + d) * s[3] + h) * s[4] + k; };
    Numbers y(48), p(12);
    for (int k = 0; k < 2; ++k)
        for (int d = 0; d < 2; ++d)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 4; ++j) {
                    double sum = 0;
                    for (int c = 0; c < 2; ++c)
                        for (int v = 0; v < 8; ++v)
                            sum += double(x[at(xs, c, d + v / 4, i + v / 2 % 2, j + v % 2)]) * w[(k * 2 + c) * 8 + v];
                    y[at(ys, k, d, i, j)] = float(sum);
                }
    for (int c = 0; c < 2; ++c)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j)
                for (int v = 0; v < 8; ++v)
                    p[at(ps, c, 0, i, j)] += y[at(ys, c, v / 4, i + v / 2 % 2, j + v % 2)] / 8;
    auto tensor = [](const int *s) {
        const int strides[5] = {s[1] * s[2] * s[3] * s[4], s[2] * s[3] * s[4], s[3] * s[4], s[4], 1};
        cudnnTensorDescriptor_t d;
        CHECK(cudnnCreateTensorDescriptor(&d));
        CHECK(cudnnSetTensorNdDescriptor(d, CUDNN_DATA_FLOAT, 5, s, strides));
        return d;
    };
    cudnnTensorDescriptor_t xd = tensor(xs), yd = tensor(ys), pd = tensor(ps), bd;
    cudnnFilterDescriptor_t wd;
    CHECK(cudnnCreateFilterDescriptor(&wd));
    CHECK(cudnnSetFilterNdDescriptor(wd, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, ws));
    cudnnConvolutionDescriptor_t cd;
    CHECK(cudnnCreateConvolutionDescriptor(&cd));
    CHECK(cudnnSetConvolutionNdDescriptor(cd, 3, pads, steps, steps, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    Array px(x), pw(w), py(Numbers(48, NAN)), pp(Numbers(12, NAN));
    const float one = 1, zero = 0;
    CHECK(cudnnConvolutionForward(handle, &one, xd, px.p, wd, pw.p, cd, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, yd, py.p));
    near("volumes", py.read(), y);
    cudnnPoolingDescriptor_t pool;
    CHECK(cudnnCreatePoolingDescriptor(&pool));
    CHECK(cudnnSetPoolingNdDescriptor(pool, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, CUDNN_NOT_PROPAGATE_NAN, 3, window, pads, steps));
    CHECK(cudnnPoolingForward(handle, pool, &one, yd, py.p, &zero, pd, pp.p));
    near("means of volumes", pp.read(), p);
    CHECK(cudnnCreateTensorDescriptor(&bd));
    CHECK(cudnnDeriveBNTensorDescriptor(bd, yd, CUDNN_BATCHNORM_SPATIAL));
    Array scale({1, 2}), bias({0, 1}), mean({0, 0}), variance({1, 1}), normal(Numbers(48, NAN));
    CHECK(cudnnBatchNormalizationForwardInference(handle, CUDNN_BATCHNORM_SPATIAL, &one, &zero, yd, py.p, yd, normal.p, bd, scale.p, bias.p, mean.p, variance.p, 1e-5));
    Numbers wanted(48);
    for (int i = 0; i < 48; ++i)
        wanted[i] = float(y[i] / std::sqrt(1 + 1e-5)) * (i < 24 ? 1 : 2) + (i < 24 ? 0 : 1);
    near("normalised volumes", normal.read(), wanted);
    cudnnDestroyPoolingDescriptor(pool);
    cudnnDestroyConvolutionDescriptor(cd);
    cudnnDestroyFilterDescriptor(wd);
    for (cudnnTensorDescriptor_t d : {xd, yd, pd, bd})
        cudnnDestroyTensorDescriptor(d);
}

int main()
{
    CHECK(cudnnCreate(&handle));
    dropped();
    for (bool over_channels : {false, true}) {
        reduced(CUDNN_REDUCE_TENSOR_ADD, "sum", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_MUL, "product", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_MIN, "least", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_MAX, "most", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_AMAX, "largest", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_AVG, "mean", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_NORM1, "sum of sizes", over_channels);
        reduced(CUDNN_REDUCE_TENSOR_NORM2, "length", over_channels);
    }
    halves();
    volumes();
    CHECK(cudnnDestroy(handle));
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
