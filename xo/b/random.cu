#include <hip/hip_runtime.h>
#if defined(__HIP_PLATFORM_AMD__) || defined(USE_ROCM) || defined(__HIP__) && !defined(__CUDACC__)
#define CASS_FOR_AMD
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#else
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#endif

#ifndef CASS_HELPER_CASS_WAVE_MATCH
#define CASS_HELPER_CASS_WAVE_MATCH
#ifdef CASS_FOR_AMD
// Lanes of a 64-bit mask, out of the whole wavefront, whose value has the same bits as the caller's.
template <typename T>
__device__ inline unsigned long long cass_wave_match(unsigned long long mask, T value)
{
    static_assert(sizeof(T) <= 8, "match compares values of up to 64 bits");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof(T));
    unsigned long long same = __ballot(1) & mask;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i) {
        int bit = static_cast<int>(bits >> i) & 1;
        unsigned long long set = __ballot(bit);
        same &= bit ? set : ~set;
    }
    return same;
}
#endif
#endif

#ifndef CASS_HELPER_CASS_CG_MASK
#define CASS_HELPER_CASS_CG_MASK
#ifdef CASS_FOR_AMD
// 64-bit mask of the hardware lanes of a tile, or of a coalesced group whose members all call it.
template <unsigned int Size, typename Parent>
__device__ inline unsigned long long cass_cg_mask(const cooperative_groups::thread_block_tile<Size, Parent>&)
{
    return (~0ull >> (64u - Size)) << (__lane_id() & ~(Size - 1u));
}
__device__ inline unsigned long long cass_cg_mask(const cooperative_groups::coalesced_group& group)
{
    return cass_wave_match(__ballot(1), group.shfl(static_cast<int>(__lane_id()), 0));
}
#endif
#endif

#ifndef CASS_HELPER_CASS_CG_PACK
#define CASS_HELPER_CASS_CG_PACK
#ifdef CASS_FOR_AMD
// Turns a 64-bit lane mask into the mask by rank that the vote members of a tile or coalesced group return.
template <unsigned int Size, typename Parent>
__device__ inline unsigned cass_cg_pack(const cooperative_groups::thread_block_tile<Size, Parent>& tile, unsigned long long lanes)
{
    return static_cast<unsigned>((lanes & cass_cg_mask(tile)) >> (__lane_id() & ~(Size - 1u)));
}
__device__ inline unsigned cass_cg_pack(const cooperative_groups::coalesced_group& group, unsigned long long lanes)
{
    unsigned packed = 0, bit = 1;
    for (unsigned long long members = cass_cg_mask(group); members != 0; members &= members - 1, bit <<= 1)
        if (lanes >> __builtin_ctzll(members) & 1)
            packed |= bit;
    return packed;
}
#endif
#endif

#ifndef CASS_HELPER_CASS_CG_VOTE
#define CASS_HELPER_CASS_CG_VOTE
#ifdef CASS_FOR_AMD
// Votes and matches of a tile or coalesced group, group first: 32-bit masks by rank, as CUDA has them.
template <typename Group>
__device__ inline unsigned cass_cg_ballot(const Group& group, int predicate)
{
    return cass_cg_pack(group, __ballot(predicate));
}
template <typename Group>
__device__ inline int cass_cg_any(const Group& group, int predicate)
{
    return (__ballot(predicate) & cass_cg_mask(group)) != 0;
}
template <typename Group>
__device__ inline int cass_cg_all(const Group& group, int predicate)
{
    return (__ballot(!predicate) & cass_cg_mask(group)) == 0;
}
template <typename Group, typename T>
__device__ inline unsigned cass_cg_match_any(const Group& group, T value)
{
    return cass_cg_pack(group, cass_wave_match(cass_cg_mask(group), value));
}
template <typename Group, typename T>
__device__ inline unsigned cass_cg_match_all(const Group& group, T value, int& predicate)
{
    unsigned long long members = __ballot(1) & cass_cg_mask(group);
    predicate = cass_wave_match(members, value) == members;
    return predicate ? cass_cg_pack(group, members) : 0u;
}
#else
template <typename Group>
__device__ inline unsigned cass_cg_ballot(const Group& group, int predicate)
{
    return group.ballot(predicate);
}
template <typename Group>
__device__ inline int cass_cg_any(const Group& group, int predicate)
{
    return group.any(predicate);
}
template <typename Group>
__device__ inline int cass_cg_all(const Group& group, int predicate)
{
    return group.all(predicate);
}
template <typename Group, typename T>
__device__ inline unsigned cass_cg_match_any(const Group& group, T value)
{
    return group.match_any(value);
}
template <typename Group, typename T>
__device__ inline unsigned cass_cg_match_all(const Group& group, T value, int& predicate)
{
    return group.match_all(value, predicate);
}
#endif
#endif

__device__ unsigned vote(cg::thread_block_tile<32> &tile, int v)
{
    unsigned r = cass_cg_ballot(tile, v > 0);
    if (cass_cg_any(tile, v) && !cass_cg_all(tile, v == 2))
        r += cass_cg_match_any(tile, v);
    return r + tile.size();
}

template <typename Group>
__device__ unsigned generic(const Group &group, int v)
{
    return group.ballot(v)