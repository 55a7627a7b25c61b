// Uses every atomic, address-space, surface and special-register helper once.
#include "cass_hip_compat.hpp"

template <typename T>
__device__ T block_scope(T* p, T v)
{
    T r = cass_atomicAdd_block(p, v) + cass_atomicSub_block(p, 1) + cass_atomicExch_block(p, v) + cass_atomicMin_block(p, v);
    r += cass_atomicMax_block(p, v) + cass_atomicAnd_block(p, v) + cass_atomicOr_block(p, v) + cass_atomicXor_block(p, v);
    return r + cass_atomicCAS_block(p, 0, v);
}

__global__ void atomics(int* i, unsigned* u, long long* l, unsigned long long* ul, float* f, double* d, unsigned short* s, volatile int* w)
{
    __shared__ int local[64];
    local[threadIdx.x] = block_scope(local, 3) + block_scope(i, 4);
    u[0] = block_scope(u, 5u) + cass_atomicInc_block(u, 7) + cass_atomicDec_block(u, 7) + cass_atomicInc_system(u, 7) + cass_atomicDec_system(u, 7);
    u[2] = cass_umin(u[0], 7) + cass_umax(u[0], 7);
    l[2] = cass_llmin(l[0], 7) + cass_llmax(l[0], 7) + cass_ullmin(ul[0], 7) + cass_ullmax(ul[0], 7);
    l[0] = block_scope(l, 5ll) + cass_atomicAdd(l + 1, 4) + cass_atomicCAS(ul, 1ull, 2);
    ul[0] = block_scope(ul, 5ull) + cass_atomicAdd(ul, 1);
    f[0] = cass_atomicAdd_block(f, 1.0f) + cass_atomicAdd(f + 1, 2) + cass_atomicExch_block(f, 1);
    d[0] = cass_atomicAdd_block(d, 1.0) + cass_atomicAdd(d + 1, 2);
    s[0] = cass_atomicCAS(s + 1, 1, 2);
    i[1] = cass_atomicAdd(w, 1) + cass_atomicAdd(i, 1u) + cass_atomicCAS(i, 1, 2);

    int value = 1, seen = 2;
    cass_nv_atomic_load(i, &seen, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_store(i, &value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    cass_nv_atomic_store_n(i, cass_nv_atomic_load_n(i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
    cass_nv_atomic_exchange(i, &value, &seen, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    seen += cass_nv_atomic_exchange_n(i, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_THREAD);
    seen += cass_nv_atomic_compare_exchange(i, &seen, &value, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_DEVICE);
    seen += cass_nv_atomic_compare_exchange_n(i, &seen, 3, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    seen += cass_nv_atomic_fetch_add(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) + cass_nv_atomic_fetch_sub(u, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    seen += cass_nv_atomic_fetch_min(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) + cass_nv_atomic_fetch_max(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    seen += cass_nv_atomic_fetch_and(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) + cass_nv_atomic_fetch_or(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    seen += cass_nv_atomic_fetch_xor(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_add(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_sub(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_min(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_max(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_and(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_or(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_xor(i, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cass_nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    i[2] = seen;

    cass_nanosleep(u[3]);
    if (u[4] == 1) cass_trap();
    if (u[4] == 2) cass_brkpt();
    ul[1] = cass_isShared(local) + cass_isLocal(&seen) + cass_isGlobal(i) + cass_cvta_generic_to_shared(local) + cass_cvta_generic_to_global(i);
    i[5] = *static_cast<int*>(cass_cvta_shared_to_generic(ul[1])) + *static_cast<int*>(cass_cvta_global_to_generic(ul[2]));
    ul[3] = cass_globaltimer();
}

template <typename T, cass_thread_scope Scope>
__device__ void objects(T* p)
{
    cass_atomic_ref<T, Scope> there(*p);
    T known = there.load(std::memory_order_acquire);
    there.compare_exchange_strong(known, p[1], std::memory_order_acq_rel, std::memory_order_relaxed);
    p[2] = there.exchange(known);
    there = known;
}
struct TwoParts { float first; int second; };
__global__ void objects(cass_atomic<unsigned, cass_thread_scope_device>* count, TwoParts* pair, unsigned char* byte, double* d, int** list)
{
    __shared__ cass_atomic<int, cass_thread_scope_block> shared;
    shared.store(0, std::memory_order_relaxed);
    shared.wait(1);
    objects<TwoParts, cass_thread_scope_device>(pair);
    objects<unsigned char, cass_thread_scope_system>(byte);
    objects<int*, cass_thread_scope_block>(list);
    objects<double, cass_thread_scope_thread>(d);
    cass_atomic_ref<double, cass_thread_scope_device>(*d).fetch_min(1.0);
    cass_atomic_ref<int*, cass_thread_scope_device>(*list) += 2;
    *count |= shared++ + 3u;
    cass_atomic_thread_fence(std::memory_order_acq_rel, cass_thread_scope_device);
}

__global__ void surfaces(hipSurfaceObject_t s, hipTextureObject_t t, float* f, double* d)
{
    int i = threadIdx.x;
    f[i] = cass_surf1Dread<float>(s, i) + cass_surf2Dread<float>(s, i, i, hipBoundaryModeZero) + cass_surf3Dread<float>(s, i, i, i);
    f[i] += cass_surf1DLayeredread<float>(s, i, 1) + cass_surf2DLayeredread<float>(s, i, i, 1) + cass_surfCubemapread<float>(s, i, i, 1);
    float v;
    cass_surf2Dread(&v, s, i, i);
    cass_surf2Dread<float>(&v, s, i, i, hipBoundaryModeClamp);
    cass_surf1Dwrite(v, s, i);
    cass_surf2Dwrite(v, s, i, i, hipBoundaryModeTrap);
    cass_surf3Dwrite<float>(v, s, i, i, i);
    cass_surf1DLayeredwrite(v, s, i, 1);
    cass_surf2DLayeredwrite(v, s, i, i, 1);
    cass_surfCubemapwrite(v, s, i, i, 1);
    d[i] = cass_tex1Dfetch_double(t, i);
}
