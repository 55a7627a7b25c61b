// helpers: cass_ballot_sync, cass_any_sync, cass_all_sync, cass_uni_sync, cass_activemask, cass_match_any_sync, cass_match_all_sync, cass_elect
// helpers: cass_reduce_add_sync, cass_reduce_min_sync, cass_reduce_max_sync, cass_reduce_and_sync, cass_reduce_or_sync, cass_reduce_xor_sync
// helpers: cass_shfl_sync, cass_shfl_up_sync, cass_shfl_down_sync, cass_shfl_xor_sync, cass_wave_shfl_sync, cass_wave_shfl_up_sync, cass_wave_shfl_down_sync, cass_wave_shfl_xor_sync, cass_syncwarp, cass_lane_id32, cass_warp_id, cass_shfl_lane
// helpers: cass_lanemask_eq, cass_lanemask_lt, cass_lanemask_le, cass_lanemask_gt, cass_lanemask_ge
//
// Every warp helper in the lanes of a wave64 and of a wave32, against what the CUDA guide says of a 32-thread warp.
#include "host_shim.hpp"
#include "wave.hpp"
#include "helpers.hpp"
#include <algorithm>
#include <array>

constexpr unsigned block = 192;

// One value for each thread of the block, and the warp's part of it as CUDA's threads see it.
struct PerThread {
    std::array<unsigned, block> at{};
    unsigned& operator[](unsigned i) { return at[i]; }
};
static unsigned noise(unsigned x)
{
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x = (x ^ (x >> 4)) * 0x27d4eb2d;
    return x ^ (x >> 15);
}
static unsigned thread()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static void run_block(unsigned wave, std::function<void()> body)
{
    for (unsigned first = 0; first < block; first += wave)
        Wave::run(wave, first, body);
}

// Members of the mask, within the warp of `thread`, for which `holds` is true.
template <typename F> unsigned lanes_where(unsigned thread, unsigned mask, F holds)
{
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && holds(thread / 32 * 32 + lane))
            result |= 1u << lane;
    return result;
}

static void votes(unsigned wave, unsigned round)
{
    run_block(wave, [=] {
        unsigned self = thread();
        auto group = [=](unsigned t) { return noise(t * 31 + round) % 3; };
        auto odd = [=](unsigned t) { return round % 4 == 0 || noise(t + 1000 * round) % 8 > round % 9; };
        unsigned mask = lanes_where(self, ~0u, [=](unsigned t) { return group(t) == group(self); });
        unsigned yes = lanes_where(self, mask, odd), all = lanes_where(self, ~0u, odd);
        CHECK(cass_ballot_sync(~0u, odd(self)) == all);
        CHECK(cass_activemask() == ~0u);
        // All three groups at the same instruction, each with its own mask.
        CHECK(cass_ballot_sync(mask, odd(self) ? 7 : 0) == yes);
        CHECK((cass_any_sync(mask, odd(self)) != 0) == (yes != 0));
        CHECK((cass_all_sync(mask, odd(self)) != 0) == (yes == mask));
        CHECK((cass_uni_sync(mask, odd(self)) != 0) == (yes == mask || yes == 0));
        // One group alone, the rest of the wavefront inactive.
        if (group(self) == 1) {
            CHECK(cass_activemask() == mask);
            CHECK(cass_ballot_sync(mask, odd(self)) == yes);
            CHECK((cass_all_sync(mask, odd(self)) != 0) == (yes == mask));
            CHECK(cass_elect(mask) == ((self & 31) == static_cast<unsigned>(__builtin_ctz(mask))));
            CHECK(cass_elect() == cass_elect(mask));
        }
        rejoin();
    });
}

template <typename T> void matches(unsigned wave, unsigned round, T (*value)(unsigned))
{
    run_block(wave, [=] {
        unsigned self = thread();
        auto key = [=](unsigned t) { return noise(t + round) % (round + 1); };
        auto same_bits = [=](unsigned t) {
            T a = value(key(t)), b = value(key(self));
            return memcmp(&a, &b, sizeof(T)) == 0;
        };
        unsigned expected = lanes_where(self, ~0u, same_bits);
        CHECK(cass_match_any_sync(~0u, value(key(self))) == expected);
        unsigned half = self & 16 ? 0xffff0000u : 0x0000ffffu;
        CHECK(cass_match_any_sync(half, value(key(self))) == (expected & half));
        int all = -1;
        unsigned members = cass_match_all_sync(half, value(key(self)), &all);
        bool equal = (expected & half) == half;
        CHECK(all == equal && members == (equal ? half : 0u));
    });
}

static void reductions(unsigned wave, unsigned round)
{
    run_block(wave, [=] {
        unsigned self = thread();
        auto value = [=](unsigned t) { return noise(t * 7 + round) << (t % 5); };
        auto group = [=](unsigned t) { return round == 0 ? 0 : noise(t * 13 + round) % round; };
        unsigned mask = lanes_where(self, ~0u, [=](unsigned t) { return group(t) == group(self); });
        unsigned sum = 0, conjunction = ~0u, disjunction = 0, parity = 0, least = ~0u, most = 0;
        int smallest = 0x7fffffff, largest = -0x7fffffff - 1;
        lanes_where(self, mask, [&](unsigned t) {
            unsigned v = value(t);
            sum += v, conjunction &= v, disjunction |= v, parity ^= v;
            least = std::min(least, v), most = std::max(most, v);
            smallest = std::min(smallest, static_cast<int>(v)), largest = std::max(largest, static_cast<int>(v));
            return true;
        });
        auto check = [=] {
            unsigned v = value(self);
            int i = static_cast<int>(v);
            CHECK(cass_reduce_add_sync(mask, v) == sum);
            CHECK(cass_reduce_add_sync(mask, i) == static_cast<int>(sum));
            CHECK(cass_reduce_min_sync(mask, v) == least && cass_reduce_max_sync(mask, v) == most);
            CHECK(cass_reduce_min_sync(mask, i) == smallest && cass_reduce_max_sync(mask, i) == largest);
            CHECK(cass_reduce_and_sync(mask, v) == conjunction && cass_reduce_or_sync(mask, v) == disjunction);
            CHECK(cass_reduce_xor_sync(mask, v) == parity);
        };
        check();
        if (group(self) == 0)
            check();
        rejoin();
    });
}

struct Odd { char text[11]; };

template <typename T> void shuffles(unsigned wave, T (*value)(unsigned))
{
    run_block(wave, [=] {
        unsigned self = thread(), warp = self / 32 * 32, lane = self % 32;
        auto is = [=](T found, unsigned from) {
            T expected = value(warp + from);
            return memcmp(&found, &expected, sizeof(T)) == 0;
        };
        for (int width = 1; width <= 32; width *= 2) {
            unsigned segment = lane / width * width;
            for (int n : {0, 1, 2, 5, 16, 31, 32, 33, -1}) {
                unsigned distance = static_cast<unsigned>(n) % 32;
                unsigned rank = lane - segment, exchanged = lane ^ distance;
                CHECK(is(cass_shfl_sync(~0u, value(self), n, width), segment + static_cast<unsigned>(n) % width));
                CHECK(is(cass_shfl_up_sync(~0u, value(self), n, width), rank >= distance ? lane - distance : lane));
                CHECK(is(cass_shfl_down_sync(~0u, value(self), n, width), rank + distance < unsigned(width) ? lane + distance : lane));
                CHECK(is(cass_shfl_xor_sync(~0u, value(self), n, width), exchanged < segment + width ? exchanged : lane));
            }
        }
        CHECK(is(cass_shfl_sync(~0u, value(self), noise(self)), noise(self) % 32));
        CHECK(is(cass_shfl_sync(~0u, value(self), cass_lane_id32() + 32u), lane));
    });
}

// The lane that shfl.sync reads, as the table of the PTX ISA says it.
static void shuffle_lanes(unsigned wave)
{
    run_block(wave, [=] {
        int lane = static_cast<int>(thread() % 32);
        for (unsigned c = 0; c < 32 * 256; c += c % 256 == 31 ? 225 : 1)
            for (unsigned b : {0u, 1u, 2u, 7u, 16u, 31u, 32u, 35u}) {
                int segment = c >> 8, clamp = c & 31, bits = b & 31;
                int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
                int idx = least | (bits & ~segment), up = lane - bits, down = lane + bits, exchanged = lane ^ bits;
                auto is = [=](unsigned found, int from, bool holds) { return found == unsigned(holds ? from : lane + 32); };
                CHECK(is(cass_shfl_idx_lane(b, c), idx, idx <= most));
                CHECK(is(cass_shfl_up_lane(b, c), up, up >= most));
                CHECK(is(cass_shfl_down_lane(b, c), down, down <= most));
                CHECK(is(cass_shfl_xor_lane(b, c), exchanged, exchanged <= most));
            }
    });
}

static void wave_shuffles(unsigned wave)
{
    run_block(wave, [=] {
        unsigned self = thread(), first = self / wave * wave, lane = self % wave;
        for (unsigned width = 1; width <= wave; width *= 2) {
            unsigned segment = lane / width * width, rank = lane - segment;
            for (unsigned n : {0u, 1u, 2u, 5u, 16u, 31u, 32u, 33u}) {
                unsigned exchanged = lane ^ n;
                CHECK(cass_wave_shfl_sync(~0u, self, int(n), int(width)) == first + segment + n % width);
                CHECK(cass_wave_shfl_up_sync(~0u, self, n, int(width)) == (rank >= n ? self - n : self));
                CHECK(cass_wave_shfl_down_sync(~0u, self, n, int(width)) == (rank + n < width ? self + n : self));
                if (exchanged < wave)
                    CHECK(cass_wave_shfl_xor_sync(~0u, self, int(n), int(width)) == (exchanged < segment + width ? first + exchanged : self));
            }
        }
    });
}

static void places(unsigned wave)
{
    run_block(wave, [=] {
        unsigned self = thread(), lane = self % 32;
        CHECK(cass_lane_id32() == lane && cass_warp_id() == self / 32);
        CHECK(cass_lanemask_eq() == lanes_where(self, ~0u, [=](unsigned t) { return t == self; }));
        CHECK(cass_lanemask_lt() == lanes_where(self, ~0u, [=](unsigned t) { return t < self; }));
        CHECK(cass_lanemask_le() == lanes_where(self, ~0u, [=](unsigned t) { return t <= self; }));
        CHECK(cass_lanemask_gt() == lanes_where(self, ~0u, [=](unsigned t) { return t > self; }));
        CHECK(cass_lanemask_ge() == lanes_where(self, ~0u, [=](unsigned t) { return t >= self; }));
        cass_syncwarp();
        cass_syncwarp(0xffu);
    });
    CHECK(fences == 2 * int(block) && barriers == fences);
    fences = barriers = 0;
}

int main()
{
    for (unsigned wave : {64u, 32u}) {
        blockDim = dim3(6, 8, 4);
        for (unsigned round = 0; round < 12; ++round) {
            votes(wave, round);
            reductions(wave, round % 5);
            matches<unsigned>(wave, round, [](unsigned k) { return k * 0x10001u; });
            matches<float>(wave, round, [](unsigned k) { return k % 2 ? -0.0f : 0.0f + k / 2; });
            matches<long long>(wave, round, [](unsigned k) { return static_cast<long long>(k) << 40; });
        }
        shuffle_lanes(wave);
        wave_shuffles(wave);
        shuffles<unsigned char>(wave, [](unsigned t) { return static_cast<unsigned char>(t); });
        shuffles<bool>(wave, [](unsigned t) { return t % 3 == 0; });
        shuffles<int>(wave, [](unsigned t) { return static_cast<int>(noise(t)); });
        shuffles<double>(wave, [](unsigned t) { return t * 1.25 - 7; });
        shuffles<float2>(wave, [](unsigned t) { return make_float2(t * 0.5f, -1.0f * t); });
        shuffles<__hip_bfloat16>(wave, [](unsigned t) { return __float2bfloat16(static_cast<float>(t)); });
        shuffles<Odd>(wave, [](unsigned t) {
            Odd odd;
            for (unsigned i = 0; i < sizeof(odd.text); ++i)
                odd.text[i] = static_cast<char>(t * 11 + i);
            return odd;
        });
        places(wave);
    }
    return finish();
}
