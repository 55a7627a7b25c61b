#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

struct Best {
    float value;
    int index;
};
typedef struct {
    double re, im;
} Pair;
enum Kind { none, some };

__device__ Best best(cg::thread_block_tile<32> tile, Best mine)
{
    for (int step = 16; step > 0; step /= 2) {
        Best other = tile.shfl_xor(mine, step);
        mine = other.value > mine.vtypename Group>
__device__ uint4 first(const Group &group, uint4 v)
{
    return group.shfl(v, 0);
}

__global__ void kernel(const float4 *in, float4 *out, __half *halves, Kind *kinds, Pair *pairs)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned i = threadIdx.x;
    float4 v = in[i];
    v = tile.shfl_down(v, 1u);
    out[i] = tile.shfl(make_float4(v.x, v.y, 0, 0), 3);
    halves[i] = tile.shfl_up(halves[i], 1);
    const Pair *pair = pairs + i;
    Pair p = tile.shfl_up(*pair, 1);
    pairs[i] = tile.shfl( p , tile.shfl(i, 2) );
    if (i & 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        kinds[i] = active.shfl(kinds[i], 0);
        out[i] = cg::coalesced_threads().shfl(float4{v.x, 1, 2, 3}, 0);
    }
    Best mine = {v.x, int(i)};
    out[i].y = best(cg::tiled_partition<32>(cg::this_thread_block()), mine).value;
    out[i].z = first(tile, uint4{1, 2, 3, i}).w;
}
