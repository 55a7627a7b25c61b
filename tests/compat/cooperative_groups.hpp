// The part of HIP's cooperative groups that the helpers use, for lanes of a simulated wave (wave.hpp).
#pragma once
using lane_mask = unsigned long long;

namespace cooperative_groups {
inline unsigned shim_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

struct grid_group {};
struct thread_block {
    static unsigned thread_rank() { return shim_thread(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static void sync() { __syncthreads(); }
};
template <unsigned int Size, typename Parent> struct thread_block_tile {
    static unsigned thread_rank() { return shim_thread() % Size; }
    static unsigned size() { return Size; }
    static void sync() { __syncthreads(); }
};

// Lanes of a mask, any of the whole wavefront; only derived classes can make one, as in HIP.
class coalesced_group {
    lane_mask members_;

protected:
    explicit coalesced_group(lane_mask members) : members_(members) {}

public:
    unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(members_)); }
    unsigned thread_rank() const { return static_cast<unsigned>(__builtin_popcountll(members_ & ((1ull << __lane_id()) - 1))); }
    static void sync() { __syncthreads(); }
    int shfl(int value, int rank) const
    {
        unsigned lane = 0;
        for (int left = rank; !(members_ >> lane & 1) || left-- > 0;)
            ++lane;
        return __builtin_amdgcn_ds_bpermute(static_cast<int>(lane << 2), value);
    }
};
} // namespace cooperative_groups
