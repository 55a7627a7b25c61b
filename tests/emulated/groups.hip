// Helpers of cooperative groups on the chip, against sums over the members written out: tiles, parts of tiles by label, coalesced lanes.
#include "cass_hip_compat.hpp"
#include "check.hpp"
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned value(unsigned thread) { return (thread + 1) * 2654435761u >> 7; }

// The members are the threads of `mask` in the 32 threads of the caller, in order of rank.
template <typename Group> __device__ void check_group(const Group& group, unsigned mask)
{
    unsigned self = this_thread(), warp = self / 32 * 32, lane = self % 32;
    unsigned rank = __builtin_popcount(mask & ((1u << lane) - 1)), size = __builtin_popcount(mask);
    EQUAL(group.thread_rank(), rank);
    EQUAL(group.size(), size);
    unsigned members[32], n = 0;
    for (unsigned k = 0; k < 32; ++k)
        if (mask >> k & 1)
            members[n++] = warp + k;
    unsigned sum = 0, before = 0, least = ~0u, most = 0, both = ~0u, any = 0, odd = 0, ballot = 0, same = 0;
    for (unsigned k = 0; k < size; ++k) {
        unsigned v = value(members[k]);
        before += k < rank ? v : 0;
        sum += v, least = v < least ? v : least, most = v > most ? v : most, both &= v, any |= v, odd ^= v;
        ballot |= (v & 1) << k;
        same |= static_cast<unsigned>(v % 3 == value(self) % 3) << k;
    }
    unsigned v = value(self);
    EQUAL(cass_cg_reduce(group, v, cass_plus<unsigned>()), sum);
    EQUAL(cass_cg_reduce(group, v, cass_less<unsigned>()), least);
    EQUAL(cass_cg_reduce(group, v, cass_greater<unsigned>()), most);
    EQUAL(cass_cg_reduce(group, v, cass_bit_and<unsigned>()), both);
    EQUAL(cass_cg_reduce(group, v, cass_bit_or<unsigned>()), any);
    EQUAL(cass_cg_reduce(group, v, cass_bit_xor<unsigned>()), odd);
    EQUAL(cass_cg_inclusive_scan(group, v), before + v);
    EQUAL(cass_cg_exclusive_scan(group, v), before);
    EQUAL(cass_cg_ballot(group, v & 1), ballot);
    EQUAL(cass_cg_any(group, v == value(members[0])) != 0, 1);
    EQUAL(cass_cg_any(group, 0) != 0, 0);
    EQUAL(cass_cg_all(group, v & 1) != 0, ballot == (~0u >> (32 - size)));
    EQUAL(cass_cg_match_any(group, v % 3), same);
    EQUAL(cass_cg_shfl(group, self, 3), members[3 % size]);
    EQUAL(cass_cg_shfl_up(group, self, 2), members[rank < 2 ? rank : rank - 2]);
    EQUAL(cass_cg_shfl_down(group, self, 2), members[rank + 2 < size ? rank + 2 : rank]);
    EQUAL(cass_cg_shfl_xor(group, self, 5), members[(rank ^ 5) < size ? rank ^ 5 : rank]);
    EQUAL(cass_cg_num_threads(group), size);
}

template <unsigned Size> __device__ void tiles()
{
    unsigned self = this_thread(), lane = self % 32;
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    unsigned whole = (Size == 32 ? ~0u : (1u << Size % 32) - 1) << lane / Size * Size;
    check_group(tile, whole);
    auto label = [](unsigned t) { return value(t) % 4; };
    auto part = cass_cg_labeled_partition(tile, label(self));
    unsigned mine = lanes_where(self, whole, [=](unsigned t) { return label(t) == label(self); });
    check_group(part, mine);
    // Each part alone.
    for (unsigned turn = 0; turn < 4; ++turn)
        if (label(self) == turn)
            check_group(part, mine);
    auto two = cass_cg_binary_partition(tile, self % 5 == 0);
    EQUAL(two.size(), __builtin_popcount(lanes_where(self, whole, [=](unsigned t) { return (t % 5 == 0) == (self % 5 == 0); })));
}

__global__ void groups()
{
    tiles<32>();
    tiles<16>();
    tiles<8>();
    tiles<4>();
    unsigned self = this_thread();
    auto taken = [](unsigned t) { return value(t) % 3 != 0; };
    if (taken(self))
        check_group(cass_cg_coalesced_threads(), lanes_where(self, ~0u, taken));
}

__global__ void copies(const unsigned* from, unsigned* to)
{
    __shared__ unsigned staged[256];
    auto block = cg::this_thread_block();
    cass_cg_memcpy_async(block, staged, from, sizeof(staged));
    cass_cg_wait(block);
    EQUAL(staged[255 - threadIdx.x % 256], noise(255 - threadIdx.x % 256));
    to[threadIdx.x] = staged[threadIdx.x];
}

int main()
{
    unsigned values[256], *device;
    for (unsigned k = 0; k < 256; ++k)
        values[k] = noise(k);
    HIP(hipMalloc(reinterpret_cast<void**>(&device), 2 * sizeof(values)));
    HIP(hipMemcpy(device, values, sizeof(values), hipMemcpyHostToDevice));
    groups<<<2, dim3(32, 2, 2)>>>();
    copies<<<1, 256>>>(device, device + 256);
    return finish(256 * 100);
}
