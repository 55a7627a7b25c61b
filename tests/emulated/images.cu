// Textures and surfaces against what CUDA's programming guide says of them: T[i] at floor(x) without filtering, with it the mean of the
// neighbours of x - 0.5 by shares of 8 bits.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t e = call;                                                             \
        if (e != cudaSuccess) {                                                           \
            printf("%d: %s\n", __LINE__, cudaGetErrorString(e));                          \
            exit(2);                                                                      \
        }                                                                                 \
    } while (0)

const int W = 11, H = 7, D = 5, N = 512;
static int wrong, checks;

static void same(const char* what, int k, double found, double expected, double tolerance)
{
    ++checks;
    if (std::fabs(found - expected) <= tolerance)
        return;
    if (++wrong <= 20)
        printf("%s, %d: %.9g instead of %.9g\n", what, k, found, expected);
}

// Coordinates inside and around, none so near to the edge of an element that a rounding decides.
static float coordinate(int k, int size)
{
    unsigned x = k * 2654435761u + 12345u * size;
    x ^= x >> 15;
    return (float)((int)(x % (3 * size)) - size) + 0.0625f + (x >> 20 & 7) / 8.0f;
}

static long wrap(long i, long n) { return ((i % n) + n) % n; }

// The element for one that may lie outside, or -1.
static long inside(long i, long n, cudaTextureAddressMode mode)
{
    if (mode == cudaAddressModeWrap)
        return wrap(i, n);
    if (mode == cudaAddressModeMirror) {
        long t = wrap(i, 2 * n);
        return t < n ? t : 2 * n - 1 - t;
    }
    if (mode == cudaAddressModeClamp)
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    return i < 0 || i >= n ? -1 : i;
}

struct Axis {
    long at[2];
    double share[2];
};

static Axis axis(double x, long n, cudaTextureAddressMode mode, bool linear)
{
    if (!linear)
        return {{inside((long)std::floor(x), n, mode), 0}, {1, 0}};
    double from = std::floor(x - 0.5), part = std::round((x - 0.5 - from) * 256) / 256;
    return {{inside((long)from, n, mode), inside((long)from + 1, n, mode)}, {1 - part, part}};
}

// What a volume of floats gives at a point.
static double reference(const std::vector<float>& volume, Axis x, Axis y, Axis z)
{
    double sum = 0;
    for (int c = 0; c < 8; ++c) {
        int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        double share = x.share[i] * y.share[j] * z.share[k];
        if (share != 0 && x.at[i] >= 0 && y.at[j] >= 0 && z.at[k] >= 0)
            sum += share * volume[(z.at[k] * H + y.at[j]) * W + x.at[i]];
    }
    return sum;
}

static Axis only(long at) { return {{at, 0}, {1, 0}}; }

__global__ void read1(cudaTextureObject_t t, const float* x, float* out) { int k = threadIdx.x; out[k] = tex1D<float>(t, x[k]); }
__global__ void read2(cudaTextureObject_t t, const float* x, const float* y, float* out)
{
    int k = threadIdx.x;
    out[k] = tex2D<float>(t, x[k], y[k]);
}
__global__ void read3(cudaTextureObject_t t, const float* x, const float* y, const float* z, float* out)
{
    int k = threadIdx.x;
    out[k] = tex3D<float>(t, x[k], y[k], z[k]);
}
__global__ void read_layer(cudaTextureObject_t t, const float* x, const float* y, float* out)
{
    int k = threadIdx.x;
    out[k] = tex2DLayered<float>(t, x[k], y[k], k % D);
}
__global__ void read_four(cudaTextureObject_t t, const float* x, const float* y, float4* out)
{
    int k = threadIdx.x;
    out[k] = tex2D<float4>(t, x[k], y[k]);
}
__global__ void read_words(cudaTextureObject_t t, const float* x, const float* y, short2* out)
{
    int k = threadIdx.x;
    out[k] = tex2D<short2>(t, x[k], y[k]);
}
__global__ void fetch(cudaTextureObject_t t, uchar2* out) { int k = threadIdx.x; out[k] = tex1Dfetch<uchar2>(t, k); }
__global__ void invert(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y;
    short2 v;
    surf2Dread(&v, from, x * (int)sizeof(short2), y);
    surf2Dwrite(make_short2(-v.y, v.x), to, (W - 1 - x) * (int)sizeof(short2), y);
}
__global__ void write_volume(cudaSurfaceObject_t to)
{
    for (int z = 0; z < D; ++z)
        surf3Dwrite(1000.0f * z + 10 * threadIdx.y + threadIdx.x, to, threadIdx.x * (int)sizeof(float), threadIdx.y, z);
}

template <class T> T* device(const std::vector<T>& host)
{
    T* to;
    CHECK(cudaMalloc(&to, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(to, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

template <class T> std::vector<T> back(const T* from)
{
    std::vector<T> host(N);
    CHECK(cudaMemcpy(host.data(), from, N * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

static cudaResourceDesc resource(cudaArray_t array)
{
    cudaResourceDesc desc = {};
    desc.resType = cudaResourceTypeArray;
    desc.res.array.array = array;
    return desc;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc& of, cudaTextureAddressMode mode, bool linear, bool normalized, bool fractions = false,
                                      int directions = 3)
{
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = mode;
    // A card mixes an image of one direction with what is outside in the second.
    if (directions == 1)
        desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.normalizedCoords = normalized;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &of, &desc, nullptr));
    return object;
}

static cudaArray_t filled(const cudaChannelFormatDesc& format, const void* from, size_t bytes, cudaExtent extent, unsigned flags)
{
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), extent.width * bytes, extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

int main()
{
    std::vector<float> volume(W * H * D), x(N), y(N), z(N);
    for (int k = 0; k < W * H * D; ++k)
        volume[k] = (float)((k * 7919) % 1000) / 8;
    for (int k = 0; k < N; ++k) {
        x[k] = coordinate(k, W);
        y[k] = coordinate(k, H);
        z[k] = coordinate(k, D);
    }
    std::vector<float> shares[3] = {x, y, z};
    for (int k = 0; k < N; ++k) {
        shares[0][k] /= W;
        shares[1][k] /= H;
        shares[2][k] /= D;
    }
    float* at[2][3];
    for (int d = 0; d < 3; ++d) {
        at[0][d] = device(d == 0 ? x : d == 1 ? y : z);
        at[1][d] = device(shares[d]);
    }
    float* out = device(std::vector<float>(4 * N));
    cudaChannelFormatDesc plain = cudaCreateChannelDesc<float>();
    cudaArray_t one = filled(plain, volume.data(), 4, make_cudaExtent(W, 0, 0), 0);
    cudaArray_t two = filled(plain, volume.data(), 4, make_cudaExtent(W, H, 0), 0);
    cudaArray_t three = filled(plain, volume.data(), 4, make_cudaExtent(W, H, D), cudaArraySurfaceLoadStore);
    cudaArray_t layers = filled(plain, volume.data(), 4, make_cudaExtent(W, H, D), cudaArrayLayered);
    const float spread = 1000 / 8.0f;

    const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
    const char* names[] = {"wrap", "clamp", "mirror", "border"};
    for (int m = 0; m < 4; ++m)
        for (int linear = 0; linear < 2; ++linear)
            for (int normalized = 0; normalized < 2; ++normalized) {
                cudaTextureAddressMode mode = modes[m];
                if (!normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
                    continue;
                float** c = at[normalized];
                // A share of 8 bits may be rounded either way.
                double near = linear ? spread / 100 : 0;
                char what[80];
                snprintf(what, sizeof what, "%s%s%s", names[m], linear ? ", linear" : "", normalized ? ", normalized" : "");
                cudaTextureObject_t t = texture_of(resource(one), mode, linear, normalized, false, 1);
                read1<<<1, N>>>(t, c[0], out);
                std::vector<float> found = back(out);
                for (int k = 0; k < N; ++k)
                    same(what, k, found[k], reference(volume, axis(x[k], W, mode, linear), only(0), only(0)), near);
                CHECK(cudaDestroyTextureObject(t));

                t = texture_of(resource(two), mode, linear, normalized);
                read2<<<1, N>>>(t, c[0], c[1], out);
                found = back(out);
                for (int k = 0; k < N; ++k)
                    same(what, N + k, found[k], reference(volume, axis(x[k], W, mode, linear), axis(y[k], H, mode, linear), only(0)), 2 * near);
                CHECK(cudaDestroyTextureObject(t));

                t = texture_of(resource(layers), mode, linear, normalized);
                read_layer<<<1, N>>>(t, c[0], c[1], out);
                found = back(out);
                for (int k = 0; k < N; ++k)
                    same(what, 2 * N + k, found[k],
                         reference(volume, axis(x[k], W, mode, linear), axis(y[k], H, mode, linear), only(k % D)), 2 * near);
                CHECK(cudaDestroyTextureObject(t));
                // gfx90a has no linear filter in three directions.
                if (linear)
                    continue;
                t = texture_of(resource(three), mode, linear, normalized);
                read3<<<1, N>>>(t, c[0], c[1], c[2], out);
                found = back(out);
                for (int k = 0; k < N; ++k)
                    same(what, 3 * N + k, found[k],
                         reference(volume, axis(x[k], W, mode, false), axis(y[k], H, mode, false), axis(z[k], D, mode, false)), 0);
                CHECK(cudaDestroyTextureObject(t));
            }

    // Four bytes as fractions, in rows with a pitch.
    std::vector<unsigned char> bytes(4 * W * H);
    for (size_t k = 0; k < bytes.size(); ++k)
        bytes[k] = (unsigned char)(k * 37 + 11);
    void* rows;
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, 4 * W, H));
    CHECK(cudaMemcpy2D(rows, pitch, bytes.data(), 4 * W, 4 * W, H, cudaMemcpyHostToDevice));
    cudaResourceDesc pitched = {};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = rows;
    pitched.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    pitched.res.pitch2D.width = W;
    pitched.res.pitch2D.height = H;
    pitched.res.pitch2D.pitchInBytes = pitch;
    cudaTextureObject_t t = texture_of(pitched, cudaAddressModeClamp, false, false, true);
    read_four<<<1, N>>>(t, at[0][0], at[0][1], (float4*)out);
    std::vector<float4> fours = back((float4*)out);
    for (int k = 0; k < N; ++k) {
        long i = inside((long)std::floor(y[k]), H, cudaAddressModeClamp) * W + inside((long)std::floor(x[k]), W, cudaAddressModeClamp);
        same("bytes", k, fours[k].x, bytes[4 * i] / 255.0, 1e-6);
        same("bytes", k, fours[k].w, bytes[4 * i + 3] / 255.0, 1e-6);
    }
    CHECK(cudaDestroyTextureObject(t));

    // Pairs of bytes in linear memory.
    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = device(std::vector<unsigned char>(bytes.begin(), bytes.begin() + 200));
    linear.res.linear.desc = cudaCreateChannelDesc<uchar2>();
    linear.res.linear.sizeInBytes = 200;
    t = texture_of(linear, cudaAddressModeClamp, false, false);
    fetch<<<1, 100>>>(t, (uchar2*)out);
    std::vector<uchar2> twos = back((uchar2*)out);
    for (int k = 0; k < 100; ++k) {
        same("pairs", k, twos[k].x, bytes[2 * k], 0);
        same("pairs", k, twos[k].y, bytes[2 * k + 1], 0);
    }
    CHECK(cudaDestroyTextureObject(t));

    // Signed halves of words through surfaces, read by a texture afterwards.
    std::vector<short2> words(W * H);
    for (int k = 0; k < W * H; ++k)
        words[k] = make_short2((short)(k * 321 - 9000), (short)(100 - k * 77));
    cudaExtent area = make_cudaExtent(W, H, 0);
    cudaArray_t from = filled(cudaCreateChannelDesc<short2>(), words.data(), 4, area, cudaArraySurfaceLoadStore);
    cudaArray_t to = filled(cudaCreateChannelDesc<short2>(), words.data(), 4, area, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t source = 0, target = 0;
    cudaResourceDesc of = resource(from);
    CHECK(cudaCreateSurfaceObject(&source, &of));
    of = resource(to);
    CHECK(cudaCreateSurfaceObject(&target, &of));
    invert<<<1, dim3(W, H)>>>(source, target);
    t = texture_of(resource(to), cudaAddressModeClamp, false, false);
    read_words<<<1, N>>>(t, at[0][0], at[0][1], (short2*)out);
    std::vector<short2> shorts = back((short2*)out);
    for (int k = 0; k < N; ++k) {
        long i = inside((long)std::floor(y[k]), H, cudaAddressModeClamp) * W + W - 1 - inside((long)std::floor(x[k]), W, cudaAddressModeClamp);
        same("surface", k, shorts[k].x, -words[i].y, 0);
        same("surface", k, shorts[k].y, words[i].x, 0);
    }
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaDestroySurfaceObject(source));
    CHECK(cudaDestroySurfaceObject(target));

    of = resource(three);
    CHECK(cudaCreateSurfaceObject(&target, &of));
    write_volume<<<1, dim3(W, H)>>>(target);
    for (int k = 0; k < W * H * D; ++k)
        volume[k] = 1000.0f * (k / (W * H)) + 10 * (k / W % H) + k % W;
    t = texture_of(resource(three), cudaAddressModeClamp, false, false);
    read3<<<1, N>>>(t, at[0][0], at[0][1], at[0][2], out);
    std::vector<float> found = back(out);
    for (int k = 0; k < N; ++k) {
        Axis i = axis(x[k], W, cudaAddressModeClamp, false), j = axis(y[k], H, cudaAddressModeClamp, false);
        same("volume", k, found[k], reference(volume, i, j, axis(z[k], D, cudaAddressModeClamp, false)), 0);
    }
    printf("%d checks, %d wrong\n", checks, wrong);
    return wrong != 0 || checks < 20000;
}
