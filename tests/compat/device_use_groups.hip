// Uses every cooperative-groups and asynchronous-copy helper once.
#include "cass_hip_compat.hpp"
#include <hip/hip_fp16.h>

namespace cg = cooperative_groups;

template <typename Group, typename T>
__device__ T combine(const Group& group, T value)
{
    value = cass_cg_reduce(group, value, cass_plus<T>()) + cass_cg_reduce(group, value, cass_less<T>());
    value = cass_cg_reduce(group, value, cass_greater<T>()) + cass_cg_inclusive_scan(group, value);
    return cass_cg_inclusive_scan(group, value, cass_greater<T>()) + cass_cg_exclusive_scan(group, value) + cass_cg_exclusive_scan(group, value, cass_less<T>());
}

template <typename Group>
__device__ unsigned bits(const Group& group, unsigned value)
{
    value = cass_cg_reduce(group, value, cass_bit_and<unsigned>()) + cass_cg_reduce(group, value, cass_bit_or<unsigned>());
    value += cass_cg_reduce(group, value, cass_bit_xor<unsigned>()) + cass_cg_ballot(group, value & 1) + cass_cg_any(group, value & 2);
    int same = 0;
    value += cass_cg_all(group, value & 4) + cass_cg_match_any(group, value) + cass_cg_match_all(group, value, same) + same;
    auto part = cass_cg_labeled_partition(group, value & 3);
    value += part.size() + cass_cg_binary_partition(part, value & 8).thread_rank() + cass_cg_num_threads(group);
    return value + cass_cg_reduce(part, value, cass_plus<unsigned>());
}

__global__ void groups(unsigned* out, float* floats, double* doubles, __half* halves, const int4* from, const char* bytes)
{
    __shared__ int4 staged[256];
    auto block = cg::this_thread_block();
    auto grid = cg::this_grid();
    auto tile = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8> small = cg::tiled_partition<8>(block);
    unsigned i = threadIdx.x;
    cass_cg_memcpy_async(block, staged, from, sizeof(int4) * 256);
    cass_cg_memcpy_async(tile, staged, 128, from, 200);
    cass_cg_wait(block);
    auto arrival = cass_cg_barrier_arrive(block);
    cass_cg_barrier_wait(block, static_cast<decltype(arrival)&&>(arrival));
    cass_cg_barrier_wait(grid, cass_cg_barrier_arrive(grid));
    cass_pipeline_memcpy_async(&staged[i], from + i, 16);
    cass_pipeline_memcpy_async(&staged[i], bytes + i, 8, 4);
    cass_pipeline_commit();
    cass_pipeline_wait_prior(1);
    cass_cg_wait_prior<1>(tile);
    floats[i] = combine(tile, floats[i]) + combine(small, floats[i]);
    doubles[i] = combine(tile, doubles[i]);
    halves[i] = combine(tile, halves[i]);
    if (i & 1) {
        auto active = cass_cg_coalesced_threads();
        out[i] += bits(active, i) + combine(active, out[i]) + combine(cg::coalesced_threads(), out[i]);
    }
    out[i] += bits(tile, i) + bits(small, i) + staged[i].x + cass_cg_dim_threads(block).x + cass_cg_num_threads(block);
    out[i] += cass_cg_block_rank(grid) + cass_cg_num_blocks(grid) + cass_cg_dim_blocks(grid).x + cass_cg_block_index(grid).y + cass_cg_num_threads(grid);
    int4 passed = cass_cg_shfl_xor(tile, cass_cg_shfl_down(small, staged[i], 1), 2);
    out[i] += passed.w + cass_cg_shfl_up(cg::coalesced_threads(), cass_cg_shfl(tile, passed, 3), 1).x;
    cass_cg_invoke_one(tile, [&](int x) { out[i] += x; }, 5);
}
