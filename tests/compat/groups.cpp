// helpers: cass_cg_reduce, cass_cg_inclusive_scan, cass_cg_exclusive_scan, cass_cg_operators, cass_cg_vote, cass_cg_shfl, cass_cg_partition, cass_cg_coalesced_threads
// helpers: cass_cg_grid, cass_cg_num_threads, cass_cg_dim_threads, cass_cg_invoke_one, cass_cg_memcpy_async, cass_cg_wait, cass_cg_barrier, cass_pipeline
//
// Cooperative-groups helpers in the lanes of a wave64 and of a wave32, against sums over the members written out.
#include "host_shim.hpp"
#include "wave.hpp"
#include "cooperative_groups.hpp"
#include "helpers.hpp"
#include <algorithm>
#include <numeric>

namespace cg = cooperative_groups;
constexpr unsigned block = 128;
using Members = std::vector<unsigned>;

static unsigned value(unsigned thread) { return (thread + 1) * 2654435761u >> 7; }
static Members threads_where(unsigned first, unsigned count, std::function<bool(unsigned)> holds)
{
    Members members;
    for (unsigned t = first; t < first + count; ++t)
        if (holds(t))
            members.push_back(t);
    return members;
}

struct Matrix { unsigned a, b, c, d; };
static Matrix operator*(Matrix l, Matrix r)
{
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
}

// `members` are the threads of the group in order of rank.
template <typename Group> void check_group(const Group& group, const Members& members)
{
    unsigned self = cg::shim_thread();
    auto place = std::find(members.begin(), members.end(), self);
    unsigned rank = static_cast<unsigned>(place - members.begin());
    CHECK(place != members.end() && group.thread_rank() == rank && group.size() == members.size());

    unsigned sum = 0, before = 0, least = ~0u, most = 0, both = ~0u, any = 0, odd = 0, most_before = 0, ballot = 0, same = 0;
    for (unsigned i = 0; i < members.size(); ++i) {
        unsigned v = value(members[i]);
        before += i < rank ? v : 0;
        most_before = i < rank ? std::max(most_before, v) : most_before;
        sum += v, least = std::min(least, v), most = std::max(most, v), both &= v, any |= v, odd ^= v;
        ballot |= (v & 1) << i;
        same |= unsigned(v % 3 == value(self) % 3) << i;
    }
    unsigned v = value(self);
    CHECK(cass_cg_reduce(group, v, cass_plus<unsigned>()) == sum);
    CHECK(cass_cg_reduce(group, v, cass_less<unsigned>()) == least);
    CHECK(cass_cg_reduce(group, v, cass_greater<unsigned>()) == most);
    CHECK(cass_cg_reduce(group, v, cass_bit_and<unsigned>()) == both);
    CHECK(cass_cg_reduce(group, v, cass_bit_or<unsigned>()) == any);
    CHECK(cass_cg_reduce(group, v, cass_bit_xor<unsigned>()) == odd);
    CHECK(cass_cg_reduce(group, double(v), cass_plus<double>()) > 0);
    Matrix own = {v, rank, self, ~v};
    unsigned size = static_cast<unsigned>(members.size());
    CHECK(cass_cg_shfl(group, own, 3).c == members[3 % size] && cass_cg_shfl(group, own, 3).b == 3 % size);
    CHECK(cass_cg_shfl_up(group, own, 2).c == members[rank < 2 ? rank : rank - 2]);
    CHECK(cass_cg_shfl_down(group, own, 2).c == members[rank + 2 < size ? rank + 2 : rank]);
    CHECK(cass_cg_shfl_down(group, own, ~0u).c == self);
    CHECK(cass_cg_shfl_xor(group, own, 5).c == members[(rank ^ 5) < size ? rank ^ 5 : rank]);
    CHECK(cass_cg_inclusive_scan(group, v) == before + v);
    CHECK(cass_cg_exclusive_scan(group, v) == before);
    CHECK(cass_cg_exclusive_scan(group, v, cass_greater<unsigned>()) == most_before);

    // A product that does not commute must be taken in order of rank.
    auto matrix = [](unsigned t) { return Matrix{1, t % 3, t % 2 ? ~0u : 0u, 1}; };
    Matrix expected = matrix(members[0]);
    for (unsigned i = 1; i <= rank; ++i)
        expected = expected * matrix(members[i]);
    Matrix product = cass_cg_inclusive_scan(group, matrix(self), [](Matrix l, Matrix r) { return l * r; });
    CHECK(memcmp(&product, &expected, sizeof(product)) == 0);

    CHECK(cass_cg_ballot(group, v & 1) == ballot);
    CHECK(cass_cg_any(group, v == value(members[0])) && !cass_cg_any(group, 0));
    CHECK(cass_cg_all(group, 1) && (cass_cg_all(group, v & 1) != 0) == (ballot == (~0u >> (32 - members.size()))));
    CHECK(cass_cg_match_any(group, v % 3) == same);
    int equal = -1;
    unsigned matched = cass_cg_match_all(group, v % 3, equal);
    bool all_equal = cass_cg_all(group, same == (~0u >> (32 - members.size())));
    CHECK(equal == all_equal && matched == (all_equal ? ~0u >> (32 - members.size()) : 0));
    CHECK(cass_cg_num_threads(group) == members.size());
}

static void run_block(unsigned wave, std::function<void(unsigned)> body)
{
    for (unsigned first = 0; first < block; first += wave)
        Wave::run(wave, first, [=] { body(cg::shim_thread()); });
}

template <unsigned Size> void tiles(unsigned wave)
{
    run_block(wave, [](unsigned self) {
        cg::thread_block_tile<Size, cg::thread_block> tile;
        unsigned first = self / Size * Size;
        check_group(tile, threads_where(first, Size, [](unsigned) { return true; }));
        int calls = 0;
        cass_cg_invoke_one(tile, [&](int n) { calls += n; }, 5);
        CHECK(calls == (self == first ? 5 : 0));

        // Parts of a tile by label: each part alone (larger parts loop longer), then all at the same instruction.
        auto label = [](unsigned t) { return value(t) % 4; };
        auto part = cass_cg_labeled_partition(tile, label(self));
        Members expected = threads_where(first, Size, [=](unsigned t) { return label(t) == label(self); });
        for (unsigned turn = 0; turn < 4 * Wave::running->size() / Size; ++turn) {
            if (label(self) + 4 * (__lane_id() / Size) == turn)
                check_group(part, expected);
            rejoin();
        }
        CHECK(cass_cg_ballot(part, 1) == ~0u >> (32 - expected.size()));
        rejoin();
        auto two = cass_cg_binary_partition(tile, self % 5 == 0);
        CHECK(two.size() == threads_where(first, Size, [=](unsigned t) { return (t % 5 == 0) == (self % 5 == 0); }).size());
    });
}

static void coalesced(unsigned wave)
{
    run_block(wave, [](unsigned self) {
        auto taken = [](unsigned t) { return value(t) % 3 != 0; };
        if (taken(self)) {
            auto group = cass_cg_coalesced_threads();
            // 32 threads at most, in the half of a wave64 where the caller is.
            Members expected = threads_where(self / 32 * 32, 32, taken);
            if (__lane_id() < 32)
                check_group(group, expected);
            rejoin();
            if (__lane_id() >= 32)
                check_group(group, expected);
        }
        rejoin();
    });
}

static void copies(unsigned wave)
{
    alignas(16) static unsigned char from[256], to[272];
    std::iota(from, from + 256, 1);
    for (unsigned offset : {0u, 4u, 1u}) {
        for (unsigned size : {160u, 36u, 7u, 0u}) {
            memset(to, 0, sizeof(to));
            unsigned char* target = to;
            Wave::run(wave, 0, [=] {
                cg::thread_block_tile<32, cg::thread_block> tile;
                if (cg::shim_thread() < 32) {
                    cass_cg_memcpy_async(tile, target, from + offset, size);
                    cass_cg_wait(tile);
                    cass_cg_wait_prior<1>(tile);
                    CHECK(memcmp(target, from + offset, size) == 0 && target[size] == 0);
                }
            });
        }
    }
    unsigned* words = reinterpret_cast<unsigned*>(to);
    memset(to, 0, sizeof(to));
    Wave::run(wave, 0, [=] {
        cg::thread_block_tile<32, cg::thread_block> tile;
        cass_cg_memcpy_async(tile, words, 5, reinterpret_cast<const unsigned*>(from), 9);
        cass_cg_wait(tile);
        cass_cg_barrier_wait(tile, cass_cg_barrier_arrive(tile));
        CHECK(memcmp(words, from, 20) == 0 && words[5] == 0);
    });
    cass_pipeline_memcpy_async(to, from, 16);
    CHECK(memcmp(to, from, 16) == 0);
    cass_pipeline_memcpy_async(to, from + 64, 8, 3);
    CHECK(memcmp(to, from + 64, 5) == 0 && to[5] == 0 && to[6] == 0 && to[7] == 0 && to[8] == from[8]);
    cass_pipeline_commit();
    cass_pipeline_wait_prior(0);
}

static void grid()
{
    gridDim = dim3(70000, 300, 500);
    blockIdx = dim3(69999, 299, 499);
    blockDim = dim3(8, 4, 4);
    cg::grid_group grid;
    unsigned long long blocks = 70000ull * 300 * 500;
    CHECK(cass_cg_num_blocks(grid) == blocks && cass_cg_block_rank(grid) == blocks - 1);
    CHECK(cass_cg_num_threads(grid) == blocks * 128);
    CHECK(cass_cg_dim_blocks(grid).y == 300 && cass_cg_block_index(grid).z == 499);
    CHECK(cass_cg_dim_threads(cg::thread_block()).x == 8 && cass_cg_num_threads(cg::thread_block()) == 128);
}

int main()
{
    for (unsigned wave : {64u, 32u}) {
        blockDim = dim3(32, 2, 2);
        tiles<32>(wave);
        tiles<8>(wave);
        tiles<1>(wave);
        coalesced(wave);
        copies(wave);
    }
    grid();
    return finish();
}
