// Every warp helper on the chip, against what the CUDA guide says of a warp of 32 threads: all lanes, groups of lanes that call the
// same instruction with masks of their own, and groups that call alone while the rest of the wave is elsewhere.
#include "cass_hip_compat.hpp"
#include "check.hpp"
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

// Groups of lanes of a warp; round 0 has one, others up to `round`.
__device__ unsigned group_of(unsigned t, unsigned round) { return round == 0 ? 0 : noise(t * 13 + round * 977) % round; }

__device__ void votes(unsigned self, unsigned mask, unsigned round)
{
    auto odd = [=](unsigned t) { return round % 4 == 0 || noise(t + 1000 * round) % 8 > round % 9; };
    unsigned yes = lanes_where(self, mask, odd);
    EQUAL(cass_ballot_sync(mask, odd(self) ? 7 : 0), yes);
    EQUAL(cass_any_sync(mask, odd(self)) != 0, yes != 0);
    EQUAL(cass_all_sync(mask, odd(self)) != 0, yes == mask);
    EQUAL(cass_uni_sync(mask, odd(self)) != 0, yes == mask || yes == 0);
}

template <typename T> __device__ bool same_bits(T a, T b) { return a == b; }
template <> __device__ bool same_bits(float a, float b) { return __float_as_uint(a) == __float_as_uint(b); }

template <typename T, typename F> __device__ void matches(unsigned self, unsigned mask, unsigned round, F value)
{
    auto key = [=](unsigned t) { return noise(t + round) % (round + 1); };
    unsigned expected = lanes_where(self, mask, [=](unsigned t) { return same_bits<T>(value(key(t)), value(key(self))); });
    EQUAL(cass_match_any_sync(mask, static_cast<T>(value(key(self)))), expected);
    int all = -1;
    unsigned members = cass_match_all_sync(mask, static_cast<T>(value(key(self))), &all);
    EQUAL(all, expected == mask);
    EQUAL(members, expected == mask ? mask : 0u);
}

__device__ void all_matches(unsigned self, unsigned mask, unsigned round)
{
    matches<unsigned>(self, mask, round, [](unsigned k) { return k * 0x10001u; });
    matches<float>(self, mask, round, [](unsigned k) { return k % 2 ? -0.0f : 0.0f + k / 2; });
    matches<long long>(self, mask, round, [](unsigned k) { return static_cast<long long>(k) << 40; });
}

__device__ void reductions(unsigned self, unsigned mask, unsigned round)
{
    unsigned sum = 0, both = ~0u, any = 0, parity = 0, least = ~0u, most = 0;
    int smallest = 0x7fffffff, largest = -0x7fffffff - 1;
    auto value = [=](unsigned t) { return noise(t * 7 + round) << (t % 5); };
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) {
            unsigned v = value(self / 32 * 32 + lane);
            sum += v, both &= v, any |= v, parity ^= v;
            least = v < least ? v : least, most = v > most ? v : most;
            smallest = int(v) < smallest ? int(v) : smallest, largest = int(v) > largest ? int(v) : largest;
        }
    unsigned v = value(self);
    int i = static_cast<int>(v);
    EQUAL(cass_reduce_add_sync(mask, v), sum);
    EQUAL(cass_reduce_add_sync(mask, i), static_cast<int>(sum));
    EQUAL(cass_reduce_min_sync(mask, v), least);
    EQUAL(cass_reduce_max_sync(mask, v), most);
    EQUAL(cass_reduce_min_sync(mask, i), smallest);
    EQUAL(cass_reduce_max_sync(mask, i), largest);
    EQUAL(cass_reduce_and_sync(mask, v), both);
    EQUAL(cass_reduce_or_sync(mask, v), any);
    EQUAL(cass_reduce_xor_sync(mask, v), parity);
}

// Everything that takes a mask: all groups at the same instruction, then each group alone.
__global__ void masks(unsigned rounds)
{
    unsigned self = this_thread();
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned group = group_of(self, round);
        unsigned mask = lanes_where(self, ~0u, [=](unsigned t) { return group_of(t, round) == group; });
        EQUAL(cass_activemask(), ~0u);
        votes(self, mask, round);
        all_matches(self, mask, round);
        reductions(self, mask, round);
        if (group == round % 3) {
            EQUAL(cass_activemask(), mask);
            votes(self, mask, round);
            all_matches(self, mask, round);
            reductions(self, mask, round);
            unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
            EQUAL(cass_elect(mask), (self & 31) == first);
            EQUAL(cass_elect(), (self & 31) == first);
        }
    }
}

struct Odd { char text[11]; };

template <typename T, typename F> __device__ void shuffles(F value)
{
    unsigned self = this_thread(), warp = self / 32 * 32, lane = self % 32;
    auto is = [=](T found, unsigned from) {
        T expected = value(warp + from);
        for (unsigned k = 0; k < sizeof(T); ++k)
            if (reinterpret_cast<char*>(&found)[k] != reinterpret_cast<char*>(&expected)[k])
                return false;
        return true;
    };
    const int distances[] = {0, 1, 2, 5, 16, 31, 32, 33, -1};
    for (int width = 1; width <= 32; width *= 2) {
        unsigned segment = lane / width * width;
        for (int n : distances) {
            unsigned distance = static_cast<unsigned>(n) % 32;
            unsigned rank = lane - segment, exchanged = lane ^ distance;
            HOLDS(is(cass_shfl_sync(~0u, value(self), n, width), segment + static_cast<unsigned>(n) % width));
            HOLDS(is(cass_shfl_up_sync(~0u, value(self), n, width), rank >= distance ? lane - distance : lane));
            HOLDS(is(cass_shfl_down_sync(~0u, value(self), n, width), rank + distance < unsigned(width) ? lane + distance : lane));
            HOLDS(is(cass_shfl_xor_sync(~0u, value(self), n, width), exchanged < segment + width ? exchanged : lane));
        }
    }
    HOLDS(is(cass_shfl_sync(~0u, value(self), noise(self)), noise(self) % 32));
    // One warp of a wavefront alone.
    if (self / 32 % 2 == 0)
        HOLDS(is(cass_shfl_xor_sync(~0u, value(self), 7), lane ^ 7));
    else
        HOLDS(is(cass_shfl_down_sync(~0u, value(self), 3), lane < 29 ? lane + 3 : lane));
}

__global__ void all_shuffles()
{
    shuffles<unsigned char>([](unsigned t) { return static_cast<unsigned char>(t); });
    shuffles<bool>([](unsigned t) { return t % 3 == 0; });
    shuffles<int>([](unsigned t) { return static_cast<int>(noise(t)); });
    shuffles<double>([](unsigned t) { return t * 1.25 - 7; });
    shuffles<float2>([](unsigned t) { return make_float2(t * 0.5f, -1.0f * t); });
    shuffles<__hip_bfloat16>([](unsigned t) { return __float2bfloat16(static_cast<float>(t)); });
    shuffles<__half>([](unsigned t) { return __float2half(static_cast<float>(t)); });
    shuffles<Odd>([](unsigned t) {
        Odd odd;
        for (unsigned i = 0; i < sizeof(odd.text); ++i)
            odd.text[i] = static_cast<char>(t * 11 + i);
        return odd;
    });
}

__global__ void places(unsigned* words)
{
    unsigned self = this_thread(), lane = self % 32;
    EQUAL(cass_lane_id32(), lane);
    EQUAL(cass_warp_id(), self / 32);
    EQUAL(cass_lanemask_eq(), 1u << lane);
    EQUAL(cass_lanemask_lt(), (1u << lane) - 1);
    EQUAL(cass_lanemask_le(), (2ull << lane) - 1);
    EQUAL(cass_lanemask_gt(), ~static_cast<unsigned>((2ull << lane) - 1));
    EQUAL(cass_lanemask_ge(), ~((1u << lane) - 1));
    // What a lane writes the others see behind the barrier, one warp of a wavefront alone.
    unsigned* mine = words + self / 32 * 32;
    for (unsigned turn = 0; turn < 3; ++turn)
        if (self / 32 % 3 == turn) {
            mine[lane] = self + turn;
            cass_syncwarp();
            EQUAL(mine[lane ^ 31], (self ^ 31) + turn);
            cass_syncwarp(0xffffffffu);
        }
}

int main()
{
    unsigned* words;
    HIP(hipMalloc(reinterpret_cast<void**>(&words), 4 * 192));
    masks<<<1, dim3(6, 8, 4)>>>(12);
    all_shuffles<<<1, dim3(6, 8, 4)>>>();
    places<<<1, dim3(6, 8, 4)>>>(words);
    return finish(192 * 500);
}
