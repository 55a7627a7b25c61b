// name: cass_atomic_wrap_system
// provides: cass_atomicInc_system, cass_atomicDec_system
// replaces: atomicInc_system, atomicDec_system
// summary: Increment and decrement that wrap at a limit, for all devices and the host: HIP has these two for one device only.
// source: CUDA C++ Programming Guide 13.0, atomic functions; amd_hip_atomic.h of HIP 6.4 (no _system form of these two)
template <typename CassF>
__device__ inline unsigned cass_atomic_wrap_system(unsigned* address, CassF f)
{
    unsigned seen = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    while (!__hip_atomic_compare_exchange_strong(address, &seen, f(seen), __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM)) {
    }
    return seen;
}
__device__ inline unsigned cass_atomicInc_system(unsigned* address, unsigned limit)
{
    return cass_atomic_wrap_system(address, [=](unsigned old) { return old >= limit ? 0u : old + 1; });
}
__device__ inline unsigned cass_atomicDec_system(unsigned* address, unsigned limit)
{
    return cass_atomic_wrap_system(address, [=](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}
