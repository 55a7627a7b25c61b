// Spatial transformers of cuDNN: grids, samples and their gradients against formulas of the host, in double.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <vector>

#define CHECK(call) do { if ((call) != CUDNN_STATUS_SUCCESS) { std::printf("%s fails\n", #call); std::exit(2); } } while (0)

using Numbers = std::vector<double>;
static const int N = 2, C = 3, IH = 5, IW = 4, OH = 3, OW = 6;

static Numbers noise(int count, unsigned seed, double scale)
{
    Numbers all(count);
    unsigned state = seed * 2654435761u + 12345u;
    for (double &one : all) {
        state = state * 1664525u + 1013904223u;
        one = scale * (double(state >> 8) / double(1 << 24) * 2 - 1);
    }
    return all;
}

static Numbers grid_of(const Numbers &theta)
{
    Numbers grid;
    for (int n = 0; n < N; ++n)
        for (int h = 0; h < OH; ++h)
            for (int w = 0; w < OW; ++w)
                for (int row = 0; row < 2; ++row) {
                    const double *t = &theta[n * 6 + row * 3], x = 2.0 * w / (OW - 1) - 1, y = 2.0 * h / (OH - 1) - 1;
                    grid.push_back(t[0] * x + t[1] * y + t[2]);
                }
    return grid;
}

static Numbers sample(const Numbers &image, const Numbers &grid)
{
    Numbers out(N * C * OH * OW, 0.0);
    for (int n = 0; n < N; ++n)
        for (int c = 0; c < C; ++c)
            for (int at = 0; at < OH * OW; ++at) {
                const double x = (grid[2 * (n * OH * OW + at)] + 1) * (IW - 1) / 2, y = (grid[2 * (n * OH * OW + at) + 1] + 1) * (IH - 1) / 2;
                for (int r = 0; r < IH; ++r)
                    for (int k = 0; k < IW; ++k)
                        out[(n * C + c) * OH * OW + at] += image[((n * C + c) * IH + r) * IW + k] * std::fmax(0, 1 - std::fabs(y - r)) * std::fmax(0, 1 - std::fabs(x - k));
            }
    return out;
}

template <class T> struct Array {
    T *p;
    size_t count;
    explicit Array(const Numbers &all) : count(all.size())
    {
        std::vector<T> own(all.begin(), all.end());
        cudaMalloc(&p, count * sizeof(T));
        cudaMemcpy(p, own.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    Numbers read() const
    {
        std::vector<T> all(count);
        cudaMemcpy(all.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost);
        return Numbers(all.begin(), all.end());
    }
};

static int wrong = 0;
static void close(const char *what, const Numbers &found, const Numbers &wanted, double within)
{
    double most = found.size() == wanted.size() ? 0 : 1;
    for (size_t at = 0; at < found.size() && at < wanted.size(); ++at)
        most = std::fmax(most, std::isnan(found[at]) ? 1 : std::fabs(found[at] - wanted[at]));
    if (most > within) {
        std::printf("%s differs by %g\n", what, most);
        ++wrong;
    }
}

template <class T> static void all(cudnnDataType_t type, bool adds)
{
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t in, out;
    cudnnSpatialTransformerDescriptor_t st;
    CHECK(cudnnCreate(&handle));
    CHECK(cudnnCreateTensorDescriptor(&in));
    CHECK(cudnnCreateTensorDescriptor(&out));
    CHECK(cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, type, N, C, IH, IW));
    CHECK(cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NCHW, type, N, C, OH, OW));
    CHECK(cudnnCreateSpatialTransformerDescriptor(&st));
    const int dims[4] = {N, C, OH, OW};
    CHECK(cudnnSetSpatialTransformerNdDescriptor(st, CUDNN_SAMPLER_BILINEAR, type, 4, dims));
    const Numbers theta = noise(N * 6, 1, 0.9), image = noise(N * C * IH * IW, 2, 1), dy = noise(N * C * OH * OW, 3, 1), old = noise(N * C * IH * IW, 4, 1);
    const Numbers grid = grid_of(theta), y = sample(image, grid);
    Array<T> ptheta(theta), pgrid(Numbers(grid.size())), px(image), py(dy), pdy(dy), pdx(old), pdgrid(Numbers(grid.size())), pdtheta(Numbers(theta.size()));
    const T one = 1, zero = 0, half = 0.5, before = adds ? T(0.5) : T(0);
    const double within = type == CUDNN_DATA_DOUBLE ? 1e-6 : 2e-4;
    CHECK(cudnnSpatialTfGridGeneratorForward(handle, st, ptheta.p, pgrid.p));
    close("a grid", pgrid.read(), grid, within);
    CHECK(cudnnSpatialTfSamplerForward(handle, st, &half, in, px.p, pgrid.p, &one, out, py.p));
    Numbers wanted = y;
    for (size_t at = 0; at < y.size(); ++at)
        wanted[at] = 0.5 * y[at] + dy[at];
    close("a sample", py.read(), wanted, within);
    CHECK(cudnnSpatialTfSamplerBackward(handle, st, &one, in, px.p, &before, in, pdx.p, &one, out, pdy.p, pgrid.p, &zero, pdgrid.p));
    CHECK(cudnnSpatialTfGridGeneratorBackward(handle, st, pdgrid.p, pdtheta.p));
    auto loss = [&](const Numbers &of_image, const Numbers &of_theta) {
        const Numbers found = sample(of_image, grid_of(of_theta));
        double sum = 0;
        for (size_t at = 0; at < found.size(); ++at)
            sum += found[at] * dy[at];
        return sum;
    };
    Numbers dx, dtheta;
    for (size_t at = 0; at < image.size(); ++at) {
        Numbers more = image;
        more[at] += 1;
        dx.push_back(loss(more, theta) - loss(image, theta) + double(before) * old[at]);
    }
    for (size_t at = 0; at < theta.size(); ++at) {
        Numbers more = theta, less = theta;
        more[at] += 1e-7, less[at] -= 1e-7;
        dtheta.push_back((loss(image, more) - loss(image, less)) / 2e-7);
    }
    close("the gradient of an image", pdx.read(), dx, within);
    close("the gradient of a transformation", pdtheta.read(), dtheta, 2e-3);
    CHECK(cudnnDestroySpatialTransformerDescriptor(st));
    CHECK(cudnnDestroy(handle));
}

int main()
{
    all<float>(CUDNN_DATA_FLOAT, false);
    all<float>(CUDNN_DATA_FLOAT, true);
    all<double>(CUDNN_DATA_DOUBLE, false);
    std::printf(wrong ? "FAILED\n" : "ok\n");
    return wrong != 0;
}
