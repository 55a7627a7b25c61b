// Uses every cache-hinted access with scalars, vectors, half types and a struct.
#include "cass_hip_compat.hpp"
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>

struct Particle { float position[3]; int kind; short tail; };

template <typename T>
__device__ void round_trip(T* p)
{
    cass_stcs(p, cass_ldcs(p + 1));
    cass_stcg(p, cass_ldcg(p + 2));
    cass_stwb(p, cass_ldca(p + 3));
    cass_stwt(p, cass_ldcv(p + 4));
    cass_stcs(p, cass_ldlu(p + 5));
    cass_stcs(p, cass_ldg(p + 6));
    cass_thread_store(p, cass_thread_load(static_cast<const T*>(p + 7)));
    cass_thread_store<2>(p, cass_thread_load<2>(static_cast<const T*>(p + 8)));
    cass_thread_store<5>(p, cass_thread_load<6>(p + 9));
}

template <typename... T>
__global__ void memory(T*... p)
{
    (round_trip(p), ...);
}
template __global__ void memory(char*, short*, int*, long long*, float*, double*, bool*);
template __global__ void memory(char4*, float2*, float3*, float4*, double4*, int4*, uchar3*);
template __global__ void memory(__half*, __half2*, __hip_bfloat16*, __hip_bfloat162*, Particle*);

__global__ void mixed(float* out, const float* in)
{
    cass_stcs(out, 1);
    cass_stwt(out + 1, cass_ldcs(in) * 2.0);
    cass_swap(out[0], out[1]);
    if (out[0] < 0)
        cass_exit(1);
    if (out[1] < 0)
        cass_terminate();
    __half h = cass_cast<__half>(__hip_bfloat16(1.0f));
    out[0] = cass_cast<double>(cass_cast<__hip_bfloat16>(h));
}

// Beside the operator of HIP's vector types this one is ambiguous without the mark.
CASS_PREFERRED __host__ __device__ inline float2 operator*(const float2& a, const float2& b) { return make_float2(a.x * b.x - a.y * b.y, 0); }
__global__ void product(float2* p) { p[0] = p[0] * p[1]; }

// The word is gone: a parameter like any other.
__global__ void in_place(CASS_GRID_CONSTANT const float2 factor, float2* p) { p[0].x = factor.y; }
