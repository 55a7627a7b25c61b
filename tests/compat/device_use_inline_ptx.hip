// Uses of the helpers that translated inline PTX calls: see device_check.sh.
#include "cass_hip_compat.hpp"

__global__ void carries(unsigned* w, unsigned long long* l)
{
    unsigned carry = 0;
    w[0] = cass_add_cc(w[1], w[2], carry);
    w[3] = cass_addc_cc(w[4], w[5], carry);
    l[0] = cass_sub_cc(l[1], l[2], carry);
    l[3] = cass_subc_cc(l[4], l[5], carry);
}

__global__ void copies(const float4* from, float4* to, unsigned given)
{
    __shared__ float4 tile[256];
    unsigned address = static_cast<unsigned>(cass_cvta_generic_to_shared(&tile[threadIdx.x]));
    cass_cp_async<16>(address, from + threadIdx.x);
    cass_cp_async<4>(address, from + threadIdx.x, given);
    cass_cp_async<8>(address + 8, from);
    __syncthreads();
    to[threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void halves(unsigned* w, unsigned short* h, float* f)
{
    w[0] = cass_f16x2_add(w[1], w[2]) ^ cass_f16x2_sub(w[1], w[2]) ^ cass_f16x2_mul(w[1], w[2]) ^ cass_f16x2_fma(w[1], w[2], w[3]);
    w[4] = cass_f16x2_min(w[1], w[2]) ^ cass_f16x2_max(w[1], w[2]) ^ cass_f16x2_exp2(w[1]) ^ cass_f16x2_tanh(w[1]);
    h[0] = cass_f16_add(h[1], h[2]);
    h[3] = cass_f16_sub(h[1], h[2]);
    h[4] = cass_f16_mul(h[1], h[2]);
    h[5] = cass_f16_fma(h[1], h[2], h[3]);
    h[6] = cass_f16_exp2(h[1]);
    h[7] = cass_f16_tanh(h[1]);
    h[8] = cass_f16_from_f32(f[0]);
    f[1] = cass_f16_to_f32(h[9]);
    h[10] = cass_bf16_from_f32(f[2]);
    w[5] = cass_bf16x2_add(w[1], w[2]) ^ cass_bf16x2_sub(w[1], w[2]) ^ cass_bf16x2_mul(w[1], w[2]) ^ cass_bf16x2_fma(w[1], w[2], w[3]);
}

__global__ void sums_and_lanes(unsigned* w, unsigned short* h)
{
    w[0] = cass_atomic_add_f16x2(w + 1, w[2]) ^ cass_atomic_add_bf16x2(w + 3, w[4]);
    h[0] = cass_atomic_add_f16(h + 1, h[2]) ^ cass_atomic_add_bf16(h + 3, h[4]);
    w[5] = cass_shfl_idx_lane(w[6], w[7]) ^ cass_shfl_up_lane(w[6], w[7]) ^ cass_shfl_down_lane(w[6], w[7]) ^ cass_shfl_xor_lane(w[6], w[7]);
}

__global__ void pairs(unsigned long long* l)
{
    l[0] = cass_f32x2_add(l[1], l[2]) ^ cass_f32x2_sub(l[1], l[2]) ^ cass_f32x2_mul(l[1], l[2]) ^ cass_f32x2_fma(l[1], l[2], l[3]);
}
