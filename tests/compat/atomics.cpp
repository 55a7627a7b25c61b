// helpers: cass_atomicAdd, cass_atomicCAS, cass_atomic_block, cass_nv_atomic, cass_memory_scopes, cass_nanosleep, cass_trap, cass_brkpt
// helpers: cass_atomic_wrap_system, cass_integer_min_max, cass_globaltimer, cass_fetch_double, cass_surface
//
// Atomics with another thread's writes let in between, and helpers around one instruction each.
#include "host_shim.hpp"
#include <cstdint>
#include <initializer_list>

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

// What the last atomic was asked for, and a write of "another thread" that happens before the next compare and swap.
static int last_order, last_scope, interference;
static void (*between)();
template <typename T, typename F> T shim_atomic(T* address, int order, int scope, F f)
{
    last_order = order, last_scope = scope;
    T old = *address;
    *address = static_cast<T>(f(old));
    return old;
}
template <typename T> T __hip_atomic_load(const T* address, int order, int scope) { return last_order = order, last_scope = scope, *address; }
template <typename T, typename V> void __hip_atomic_store(T* address, V v, int order, int scope) { shim_atomic(address, order, scope, [=](T) { return v; }); }
template <typename T, typename V> T __hip_atomic_exchange(T* address, V v, int order, int scope) { return shim_atomic(address, order, scope, [=](T) { return v; }); }
#define SHIM_FETCH(name, expression) \
    template <typename T, typename V> T __hip_atomic_fetch_##name(T* address, V v, int order, int scope) { return shim_atomic(address, order, scope, [=](T old) { return expression; }); }
SHIM_FETCH(add, old + v)
SHIM_FETCH(and, old & v)
SHIM_FETCH(or, old | v)
SHIM_FETCH(xor, old ^ v)
SHIM_FETCH(min, v < old ? T(v) : old)
SHIM_FETCH(max, old < v ? T(v) : old)
template <typename T>
bool __hip_atomic_compare_exchange_strong(T* address, T* expected, T desired, int order, int, int scope)
{
    last_order = order, last_scope = scope;
    if (interference > 0 && interference--)
        between();
    bool equal = *address == *expected;
    *expected = *address;
    if (equal)
        *address = desired;
    return equal;
}
inline int atomicAdd(int* p, int v) { return shim_atomic(p, -1, -1, [=](int old) { return old + v; }); }
inline float atomicAdd(float* p, float v) { return shim_atomic(p, -1, -1, [=](float old) { return old + v; }); }
inline unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) { return shim_atomic(p, -1, -1, [=](unsigned long long old) { return old + v; }); }
inline int atomicCAS(int* p, int c, int v) { return shim_atomic(p, -1, -1, [=](int old) { return old == c ? v : old; }); }
inline unsigned atomicInc(unsigned* p, unsigned limit) { return shim_atomic(p, -1, -1, [=](unsigned old) { return old >= limit ? 0 : old + 1; }); }
inline unsigned atomicDec(unsigned* p, unsigned limit) { return shim_atomic(p, -1, -1, [=](unsigned old) { return old == 0 || old > limit ? limit : old - 1; }); }
static int fence_scope, naps, traps;
inline void __threadfence_block() { fence_scope = __HIP_MEMORY_SCOPE_WORKGROUP; }
inline void __threadfence() { fence_scope = __HIP_MEMORY_SCOPE_AGENT; }
inline void __threadfence_system() { fence_scope = __HIP_MEMORY_SCOPE_SYSTEM; }
inline void __builtin_amdgcn_s_sleep(int n) { naps += n; }
#define __builtin_trap() (traps += 1)
#define __builtin_debugtrap() (traps += 10)
inline long long wall_clock64() { return 123456789; }
using hipTextureObject_t = int;
using hipSurfaceObject_t = int;
enum hipSurfaceBoundaryMode { hipBoundaryModeZero, hipBoundaryModeTrap, hipBoundaryModeClamp };
template <typename T> T tex1Dfetch(int texture, int index) { return {texture, index}; }
inline double __hiloint2double(int high, int low) { return high * 1000.0 + low; }
static int place;
#define SHIM_SURFACE(name, parameters, sum)                                                   \
    template <typename T> void name##read(T* v, int s, parameters) { *v = T(s + sum); }       \
    template <typename T> void name##write(T v, int s, parameters) { place = int(v) + s + sum; }
#define SHIM_COMMA ,
SHIM_SURFACE(surf1D, int x, x)
SHIM_SURFACE(surf2D, int x SHIM_COMMA int y, x + 10 * y)
SHIM_SURFACE(surf3D, int x SHIM_COMMA int y SHIM_COMMA int z, x + 10 * y + 100 * z)
SHIM_SURFACE(surf1DLayered, int x SHIM_COMMA int l, x + 10 * l)
SHIM_SURFACE(surf2DLayered, int x SHIM_COMMA int y SHIM_COMMA int l, x + 10 * y + 100 * l)
SHIM_SURFACE(surfCubemap, int x SHIM_COMMA int y SHIM_COMMA int f, x + 10 * y + 100 * f)
#include "helpers.hpp"

alignas(8) static unsigned short shorts[4];

static void sixteen_bits()
{
    for (unsigned i = 0; i < 4; ++i) {
        __half* h = reinterpret_cast<__half*>(shorts);
        for (unsigned k = 0; k < 4; ++k)
            shorts[k] = static_cast<unsigned short>(0x3c00 + k);
        // The neighbour in the same word changes before the first swap: neither write may be lost.
        between = [] { shorts[1] = 0x1234, shorts[2] = 0x4321; };
        interference = 1;
        unsigned short before = shorts[i];
        __half old = cass_atomicAdd(h + i, shim_half(2.0));
        bool hit = i == 1 || i == 2;
        unsigned short expected_old = i == 1 ? 0x1234 : i == 2 ? 0x4321 : before;
        CHECK(old.bits == (hit ? expected_old : before));
        CHECK(shorts[i] == __hadd(__half{expected_old}, shim_half(2.0)).bits);
        CHECK((i == 1 || shorts[1] == 0x1234) && (i == 2 || shorts[2] == 0x4321));
        CHECK((i == 0 || shorts[0] == 0x3c00) && (i == 3 || shorts[3] == 0x3c03));
        CHECK(last_scope == __HIP_MEMORY_SCOPE_AGENT && last_order == __ATOMIC_RELAXED);
    }
    shorts[0] = shorts[1] = shorts[2] = 7;
    CHECK(cass_atomicCAS(shorts + 1, 6, 9) == 7 && shorts[1] == 7);
    CHECK(cass_atomicCAS(shorts + 1, 7, 9) == 7 && shorts[1] == 9 && shorts[0] == 7 && shorts[2] == 7);
    __hip_bfloat16* b = reinterpret_cast<__hip_bfloat16*>(shorts);
    shorts[2] = 0x3f80;
    CHECK(cass_atomicAdd(b + 2, shim_bfloat16(2.0)).bits == 0x3f80 && shorts[2] == 0x4040);
}

static void pairs_and_words()
{
    alignas(4) __half2 h = {shim_half(1), shim_half(2)};
    __half2 old = cass_atomicAdd(&h, __half2{shim_half(10), shim_half(20)});
    CHECK(__half2float(old.y) == 2 && __half2float(h.x) == 11 && __half2float(h.y) == 22);
    alignas(4) __hip_bfloat162 b(shim_bfloat16(1), shim_bfloat16(2));
    cass_atomicAdd(&b, __hip_bfloat162(shim_bfloat16(3), shim_bfloat16(4)));
    CHECK(__bfloat162float(b.x) == 4 && __bfloat162float(b.y) == 6);
    long long l = -5;
    CHECK(cass_atomicAdd(&l, -3) == -5 && l == -8);
    volatile int v = 4;
    CHECK(cass_atomicAdd(&v, 3u) == 4 && v == 7);
    float f = 1;
    CHECK(cass_atomicAdd(&f, 2) == 1.0f && f == 3.0f);
    int i = 3;
    CHECK(cass_atomicCAS(&i, 3, 8) == 3 && i == 8);
}

static void block_scope()
{
    int i = 12;
    auto is = [&](int old, int expected_old, int now) { return old == expected_old && i == now && last_scope == __HIP_MEMORY_SCOPE_WORKGROUP; };
    CHECK(is(cass_atomicAdd_block(&i, 3), 12, 15));
    CHECK(is(cass_atomicSub_block(&i, 5), 15, 10));
    CHECK(is(cass_atomicExch_block(&i, 6), 10, 6));
    CHECK(is(cass_atomicMin_block(&i, -4), 6, -4));
    CHECK(is(cass_atomicMax_block(&i, 14), -4, 14));
    CHECK(is(cass_atomicAnd_block(&i, 6), 14, 6));
    CHECK(is(cass_atomicOr_block(&i, 9), 6, 15));
    CHECK(is(cass_atomicXor_block(&i, 5), 15, 10));
    CHECK(is(cass_atomicCAS_block(&i, 11, 1), 10, 10));
    CHECK(is(cass_atomicCAS_block(&i, 10, 1), 10, 1));
    unsigned u = 3;
    CHECK(cass_atomicSub_block(&u, 4) == 3 && u == ~0u);
    u = 7;
    CHECK(cass_atomicInc_block(&u, 7) == 7 && u == 0 && cass_atomicDec_block(&u, 9) == 0 && u == 9);
    double d = 1;
    CHECK(cass_atomicAdd_block(&d, 2) == 1.0 && d == 3.0);
}

static void system_scope()
{
    unsigned u = 7;
    CHECK(cass_atomicInc_system(&u, 7) == 7 && u == 0 && last_scope == __HIP_MEMORY_SCOPE_SYSTEM);
    CHECK(cass_atomicInc_system(&u, 7) == 0 && u == 1);
    u = 12;
    CHECK(cass_atomicInc_system(&u, 7) == 12 && u == 0 && cass_atomicDec_system(&u, 9) == 0 && u == 9);
    CHECK(cass_atomicDec_system(&u, 9) == 9 && u == 8 && cass_atomicDec_system(&u, 3) == 8 && u == 3);
    static unsigned* watched;
    watched = &u;
    between = [] { *watched = 6; };
    interference = 1;
    CHECK(cass_atomicInc_system(&u, 100) == 6 && u == 7);
}

static void smaller_and_greater()
{
    CHECK(cass_umin(-1, 3) == 3 && cass_umax(-1, 3) == ~0u);
    CHECK(cass_llmin(-1, 1ll << 40) == -1 && cass_llmax(-1, 1ll << 40) == 1ll << 40);
    CHECK(cass_ullmin(-1, 3) == 3 && cass_ullmax(-1, 3) == ~0ull);
}

static void built_in_atomics()
{
    int i = 1, v = 5, seen = 0;
    cass_nv_atomic_store_n(&i, 4, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    CHECK(i == 4 && last_order == __ATOMIC_RELEASE && last_scope == __HIP_MEMORY_SCOPE_WORKGROUP);
    cass_nv_atomic_store(&i, &v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    CHECK(i == 5 && last_scope == __HIP_MEMORY_SCOPE_SYSTEM);
    cass_nv_atomic_load(&i, &seen, __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_CLUSTER);
    CHECK(seen == 5 && last_order == __ATOMIC_ACQUIRE && last_scope == __HIP_MEMORY_SCOPE_AGENT);
    CHECK(cass_nv_atomic_load_n(&i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_THREAD) == 5 && last_scope == __HIP_MEMORY_SCOPE_SINGLETHREAD);
    last_scope = 0; // The scope may be left out.
    CHECK(cass_nv_atomic_load_n(&i, __NV_ATOMIC_RELAXED) == 5 && last_scope == __HIP_MEMORY_SCOPE_SYSTEM && last_order == __ATOMIC_RELAXED);
    seen = 4;
    CHECK(!cass_nv_atomic_compare_exchange_n(&i, &seen, 8, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE) && seen == 5);
    cass_nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);
    CHECK(fence_scope == __HIP_MEMORY_SCOPE_SYSTEM);
    v = 6;
    cass_nv_atomic_exchange(&i, &v, &seen, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    CHECK(i == 6 && seen == 5 && cass_nv_atomic_exchange_n(&i, 7, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 6);
    CHECK(!cass_nv_atomic_compare_exchange(&i, &seen, &v, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) && seen == 7);
    CHECK(cass_nv_atomic_compare_exchange_n(&i, &seen, 8, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) && i == 8);
#define FETCH(name, operand, now) \
    v = i; CHECK(cass_nv_atomic_fetch_##name(&i, operand, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == v && i == (now))
    FETCH(add, 4, 12);
    FETCH(sub, 2, 10);
    FETCH(and, 3, 2);
    FETCH(or, 5, 7);
    FETCH(xor, 1, 6);
    FETCH(min, 3, 3);
    FETCH(max, 9, 9);
#undef FETCH
    cass_nv_atomic_add(&i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_sub(&i, 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    CHECK(i == 7);
    cass_nv_atomic_and(&i, 6, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_or(&i, 8, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_xor(&i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    CHECK(i == 15);
    cass_nv_atomic_min(&i, 4, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    CHECK(i == 4);
    cass_nv_atomic_max(&i, 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    CHECK(i == 5);
    for (int scope : {__NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM}) {
        cass_nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, scope);
        CHECK(fence_scope == scope);
    }
}

static void around_one_instruction()
{
    cass_nanosleep(0);
    CHECK(naps == 0);
    cass_nanosleep(100);
    CHECK(naps == 4);
    naps = 0;
    cass_nanosleep(~0u); // CUDA sleeps a millisecond at most.
    CHECK(naps == 31250);
    cass_trap();
    cass_brkpt();
    CHECK(traps == 11);
    CHECK(cass_globaltimer() == 1234567890);
    CHECK(cass_tex1Dfetch_double(4, 5) == 5004.0);
    CHECK(cass_surf1Dread<int>(1, 2) == 3 && cass_surf2Dread<float>(1, 2, 3) == 33.0f && cass_surf3Dread<int>(1, 2, 3, 4) == 433);
    CHECK(cass_surf1DLayeredread<int>(1, 2, 3, hipBoundaryModeZero) == 33 && cass_surf2DLayeredread<int>(1, 2, 3, 4) == 433);
    CHECK(cass_surfCubemapread<int>(1, 2, 3, 4, hipBoundaryModeClamp) == 433);
    int value = 0;
    cass_surf2Dread(&value, 1, 2, 3, hipBoundaryModeZero);
    CHECK(value == 33);
    cass_surf1Dwrite(1000, 1, 2);
    CHECK(place == 1003);
    cass_surf2Dwrite(1000, 1, 2, 3, hipBoundaryModeTrap);
    CHECK(place == 1033);
    cass_surf3Dwrite(1000, 1, 2, 3, 4);
    CHECK(place == 1433);
    cass_surf1DLayeredwrite(1000, 1, 2, 3);
    CHECK(place == 1033);
    cass_surf2DLayeredwrite(1000, 1, 2, 3, 4);
    CHECK(place == 1433);
    place = 0;
    cass_surfCubemapwrite(1000, 1, 2, 3, 4);
    CHECK(place == 1433);
}

int main()
{
    sixteen_bits();
    pairs_and_words();
    block_scope();
    system_scope();
    smaller_and_greater();
    built_in_atomics();
    around_one_instruction();
    return finish();
}
