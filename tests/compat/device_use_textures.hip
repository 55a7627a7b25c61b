// Uses texture references on linear memory of every element type, as device code fetches and host code binds.
#include "cass_hip_compat.hpp"

static __constant__ cass_texture<float> scalars;
static __constant__ cass_texture<float4> quads;
namespace inner {
__constant__ cass_texture<uchar4, 1, hipReadModeNormalizedFloat> colours;
}

template <typename T>
__device__ float first(const T& value) { return static_cast<float>(value.x); }
template <typename T, hipTextureReadMode mode>
__device__ float fetched(const cass_texture<T, 1, mode>& texture, int i)
{
    auto value = tex1Dfetch(texture, i);
    return *reinterpret_cast<float*>(&value);
}
template <int N>
__global__ void textures(float* out, int i)
{
    float4 colour = tex1Dfetch(inner::colours, i);
    out[N] = tex1Dfetch(scalars, i) + first(tex1Dfetch(quads, i)) + colour.w;
}
template <hipTextureReadMode mode, typename T>
__device__ float fetch_of(T value)
{
    cass_texture<T, 1, mode> texture = {};
    texture.data = &value;
    texture.elements = 1;
    return fetched(texture, 0);
}
template <typename... T>
__global__ void elements(float* out, T... values)
{
    *out = (fetch_of<hipReadModeElementType>(values) + ...);
}
template <typename... T>
__global__ void fractions(float* out, T... values)
{
    *out = (fetch_of<hipReadModeNormalizedFloat>(values) + ...);
}
template __global__ void elements(float*, int, unsigned, float, int1, uint1, float1, int2, uint2, float2, int4, uint4, float4);
template __global__ void fractions(float*, char, signed char, unsigned char, short, unsigned short);
template __global__ void fractions(float*, char1, uchar1, short1, ushort1, char2, uchar2, short2, ushort2);
template __global__ void fractions(float*, char4, uchar4, short4, ushort4);

inline hipError_t bind_textures(float* data, size_t bytes)
{
    size_t offset;
    hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
    scalars.filterMode = hipFilterModePoint;
    quads.addressMode[0] = hipAddressModeClamp;
    quads.normalized = false;
    hipError_t first = hipBindTexture(&offset, scalars, data, channels, bytes);
    hipError_t second = hipBindTexture(NULL, quads, data);
    hipError_t third = hipBindTexture(0, &scalars, data, &channels, bytes);
    hipError_t fourth = hipBindTexture(0, inner::colours, data, bytes);
    hipError_t fifth = hipGetTextureAlignmentOffset(&offset, scalars);
    textures<1><<<1, 32>>>(data, 1);
    bool bound = !first && !second && !third && !fourth && !fifth;
    return bound ? hipUnbindTexture(scalars) : hipUnbindTexture(&quads);
}
