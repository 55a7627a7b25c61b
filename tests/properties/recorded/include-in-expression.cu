// options: --compat none
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ float sum(cg::thread_block_tile<32> tile, float x)
{
    return cg::reduce(tile, x, cg
#include <helper_cuda.h>
::plus<float>());
}
