// helpers: cass_agent_access, cass_ldg, cass_ldca, cass_ldcg, cass_ldcs, cass_ldlu, cass_ldcv, cass_stwb, cass_stcg, cass_stcs, cass_stwt, cass_swap, cass_exit, cass_terminate, cass_cast, cass_preferred, cass_any_pointer, cass_thread_access, cass_carveout, cass_stream_value, cass_graph_update
//
// Cache-hinted accesses of scalars, vectors, half types and structs: the value, and how many machine accesses it takes.
#include "host_shim.hpp"
#include <vector>

// Like half and bfloat16, these convert to each other through float alone.
struct other_two_bytes {
    short value;
    operator float() const { return 2.0f * value; }
};
struct two_bytes {
    short value;
    explicit two_bytes(float number) : value(static_cast<short>(number)) {}
    explicit two_bytes(other_two_bytes) = delete;
};

static std::vector<unsigned> widths;
template <typename T> inline T __builtin_nontemporal_load(const T* address)
{
    widths.push_back(sizeof(T));
    return *address;
}
template <typename T> inline void __builtin_nontemporal_store(T value, T* address)
{
    widths.push_back(sizeof(T));
    *address = value;
}
enum { __HIP_MEMORY_SCOPE_AGENT = 4 };
// The widths of atomic accesses; one that is not relaxed, or not of agent scope, counts as 99.
static std::vector<unsigned> atomics;
static unsigned atomic_width(unsigned width, int order, int scope)
{
    return order == __ATOMIC_RELAXED && scope == __HIP_MEMORY_SCOPE_AGENT ? width : 99;
}
template <typename T> inline T __hip_atomic_load(const T* address, int order, int scope)
{
    atomics.push_back(atomic_width(sizeof(T), order, scope));
    return *address;
}
template <typename T> inline void __hip_atomic_store(T* address, T value, int order, int scope)
{
    atomics.push_back(atomic_width(sizeof(T), order, scope));
    *address = value;
}

// An update of a graph that fails at the node it is given.
enum hipError_t { hipSuccess = 0, hipErrorGraphExecUpdateFailure = 910 };
enum hipGraphExecUpdateResult { hipGraphExecUpdateSuccess = 0, hipGraphExecUpdateErrorTopologyChanged = 2 };
typedef int *hipGraphExec_t, *hipGraph_t, *hipGraphNode_t;
static hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t* node, hipGraphExecUpdateResult* result)
{
    const bool same = *exec == *graph;
    *result = same ? hipGraphExecUpdateSuccess : hipGraphExecUpdateErrorTopologyChanged;
    if (!same) {
        *node = graph;
    }
    return same ? hipSuccess : hipErrorGraphExecUpdateFailure;
}
#include "helpers.hpp"

struct Particle { float position[3]; int kind; short tail[2]; };
struct Opaque {
    int x;
    explicit Opaque(int x) : x(x) {}
};

template <typename T> bool same(const T& a, const T& b) { return memcmp(&a, &b, sizeof(T)) == 0; }

// `expected` is the width of each of the accesses that a streaming load or store of T takes.
template <typename T> void round_trip(unsigned expected)
{
    alignas(32) unsigned char bytes[2 * sizeof(T)];
    for (unsigned i = 0; i < sizeof(bytes); ++i)
        bytes[i] = static_cast<unsigned char>(i * 37 + 11);
    if (sizeof(T) == sizeof(bool))
        bytes[0] = 1, bytes[1] = 0;
    T* p = reinterpret_cast<T*>(bytes);
    const T value = p[0];
    auto stored = [&](void (*store)(T*, T)) {
        memset(bytes + sizeof(T), 0, sizeof(T));
        store(p + 1, value);
        return same(p[1], value);
    };
    CHECK(same(cass_ldg(p), value) && same(cass_ldca(p), value) && same(cass_ldcv(p), value));
    CHECK(widths.empty() && atomics.empty());
    // What other blocks write has to be seen: atomic accesses, of which none is wider than 8 bytes.
    const unsigned word = expected < 8 ? expected : 8;
    const std::vector<unsigned> words(sizeof(T) / word, word);
    CHECK(same(cass_ldcg(p), value) && atomics == words);
    atomics.clear();
    CHECK(stored([](T* q, T v) { cass_stcg(q, v); }) && atomics == words);
    atomics.clear();
    CHECK(same(cass_thread_load<2>(static_cast<const T*>(p)), value) && atomics == words);
    atomics.clear();
    CHECK(stored([](T* q, T v) { cass_thread_store<2>(q, v); }) && atomics == words);
    atomics.clear();
    CHECK(same(cass_thread_load(p), value) && same(cass_thread_load<5>(static_cast<const T*>(p)), value));
    CHECK(same(cass_thread_load<4>(p), value) && same(cass_thread_load<6>(static_cast<const volatile T*>(p)), value));
    CHECK(stored([](T* q, T v) { cass_thread_store(q, v); }) && stored([](T* q, T v) { cass_thread_store<5>(static_cast<volatile T*>(q), v); }));
    CHECK(widths.empty() && atomics.empty());
    CHECK(same(cass_ldcs(p), value) && widths == std::vector<unsigned>(sizeof(T) / expected, expected));
    widths.clear();
    CHECK(same(cass_ldlu(p), value) && widths == std::vector<unsigned>(sizeof(T) / expected, expected));
    widths.clear();
    CHECK(stored([](T* q, T v) { cass_stwb(q, v); }) && stored([](T* q, T v) { cass_stwt(q, v); }));
    CHECK(widths.empty());
    CHECK(stored([](T* q, T v) { cass_stcs(q, v); }) && widths == std::vector<unsigned>(sizeof(T) / expected, expected));
    widths.clear();
}

CASS_PREFERRED Opaque operator*(Opaque a, Opaque b) { return Opaque(a.x * b.x); }

static float* const* first_of(float* const list[], int* count) { return count ? list : nullptr; }

// Qualifiers go, and the type is the one that is asked for.
static void pointers()
{
    float x = 1;
    float* const list[1] = {&x};
    const float* const* given = list;
    const int count = 1;
    CHECK(first_of(cass_any_pointer(given), cass_any_pointer(&count)) == list);
    const void* plain = cass_any_pointer(given);
    CHECK(plain == list);
}

int main()
{
    pointers();
    CHECK((Opaque(2) * Opaque(3)).x == 6);
    round_trip<bool>(1);
    round_trip<unsigned char>(1);
    round_trip<short>(2);
    round_trip<int>(4);
    round_trip<float>(4);
    round_trip<long long>(8);
    round_trip<double>(8);
    round_trip<uchar4>(4);
    round_trip<float3>(4);
    round_trip<float4>(16);
    round_trip<int4>(16);
    round_trip<double4>(16);
    round_trip<__half>(2);
    round_trip<__hip_bfloat162>(2); // The stand-in is aligned to 2; HIP's to 4.
    round_trip<Particle>(4);
    round_trip<Opaque>(4);
    // The value converts to the type of the place, as an argument of CUDA's function does.
    float place = 0;
    cass_stcs(&place, 1);
    CHECK(place == 1.0f);
    cass_stcg(&place, 3);
    CHECK(place == 3.0f);
    cass_stwt(&place, 2.5);
    CHECK(place == 2.5f);
    std::vector<int> few{1}, many{2, 3};
    cass_swap(few, many);
    CHECK(few.size() == 2 && many.size() == 1 && many[0] == 1);
    CHECK(cass_cast<int>(2.5) == 2);
    CHECK(cass_cast<two_bytes>(other_two_bytes{3}).value == 6);
    // An iterator that is no pointer, and what converts to the type of the place.
    CHECK(cass_thread_load<2>(many.begin()) == 1);
    cass_thread_store<2>(many.begin(), 4.0f);
    cass_thread_store<4>(many.data() - 0, 5.0);
    CHECK(many[0] == 5);
    CHECK(cass_cudaSharedmemCarveoutDefault == -1 && cass_cudaSharedmemCarveoutMaxL1 == 0);
    CHECK(cass_cudaSharedmemCarveoutMaxShared == 100 && cass_CU_STREAM_WRITE_VALUE_DEFAULT == 0);
    int made = 1, other = 2;
    cass_cudaGraphExecUpdateResultInfo info = {hipGraphExecUpdateSuccess, &made, &made};
    CHECK(cass_cudaGraphExecUpdate(&made, &other, &info) == hipErrorGraphExecUpdateFailure);
    CHECK(info.result == hipGraphExecUpdateErrorTopologyChanged && info.errorNode == &other && info.errorFromNode == nullptr);
    cass_CUgraphExecUpdateResultInfo same;
    CHECK(cass_cuGraphExecUpdate(&made, &made, &same) == hipSuccess);
    CHECK(same.result == hipGraphExecUpdateSuccess && same.errorNode == nullptr && same.errorFromNode == nullptr);
    cass_exit(finish());
}
