// Uses every warp helper once, so that templates are instantiated and each path reaches the instruction selector.
#include "cass_hip_compat.hpp"
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>

struct Pair { double first; short second; };

template <typename T>
__device__ T shuffles(T value, int n)
{
    value = cass_shfl_sync(0xffffffffu, value, n);
    value = cass_shfl_up_sync(0xffffffffu, value, 1u, 16);
    value = cass_shfl_down_sync(0xffffffffu, value, 2u);
    value = cass_wave_shfl_sync(~0ull, cass_wave_shfl_up_sync(~0ull, value, 1u), n);
    value = cass_wave_shfl_down_sync(~0ull, cass_wave_shfl_xor_sync(~0ull, value, 32), 2u, 16);
    return cass_shfl_xor_sync(0xffffffffu, value, 4, 8);
}

__global__ void warp(unsigned* out, int n, float2* pairs, __half* halves, __hip_bfloat16* brains, Pair* structs, double* doubles)
{
    unsigned full = cass_activemask();
    unsigned sum = cass_ballot_sync(full, n > 3) + cass_any_sync(full, n) + cass_all_sync(full, n) + cass_uni_sync(full, n);
    int same = 0;
    sum += cass_match_any_sync(full, n) + cass_match_any_sync(full, 1.5 * n) + cass_match_all_sync(full, 1.0f * n, &same) + same;
    sum += cass_reduce_add_sync(full, sum) + cass_reduce_add_sync(full, n) + cass_reduce_min_sync(full, n) + cass_reduce_min_sync(full, sum);
    sum += cass_reduce_max_sync(full, n) + cass_reduce_max_sync(full, sum);
    sum += cass_reduce_and_sync(full, sum) + cass_reduce_or_sync(full, sum) + cass_reduce_xor_sync(full, sum);
    sum += cass_lane_id32() + cass_warp_id() + cass_lanemask_eq() + cass_lanemask_lt() + cass_lanemask_le() + cass_lanemask_gt() + cass_lanemask_ge();
    cass_syncwarp();
    cass_syncwarp(full);
    if (cass_elect()) sum += cass_elect(full);
    out[threadIdx.x] = sum + shuffles(n, n) + shuffles(3ull * n, n) + shuffles(static_cast<unsigned char>(n), n) + shuffles(n > 2, n);
    pairs[threadIdx.x] = shuffles(pairs[threadIdx.x], n);
    halves[threadIdx.x] = shuffles(halves[threadIdx.x], n);
    brains[threadIdx.x] = shuffles(brains[threadIdx.x], n);
    structs[threadIdx.x] = shuffles(structs[threadIdx.x], n);
    doubles[threadIdx.x] = shuffles(doubles[threadIdx.x], n);
}
