// name: cass_atomic_block
// provides: cass_atomicAdd_block, cass_atomicSub_block, cass_atomicExch_block, cass_atomicMin_block, cass_atomicMax_block, cass_atomicAnd_block, cass_atomicOr_block, cass_atomicXor_block, cass_atomicCAS_block, cass_atomicInc_block, cass_atomicDec_block
// replaces: atomicAdd_block, atomicSub_block, atomicExch_block, atomicMin_block, atomicMax_block, atomicAnd_block, atomicOr_block, atomicXor_block, atomicCAS_block, atomicInc_block, atomicDec_block
// summary: Atomics of block scope with the work-group scope of HIP (increment and decrement with the wider one of the device).
// source: CUDA C++ Programming Guide 13.0, atomic functions; clang 19 __hip_atomic builtins
template <typename T, typename V>
__device__ inline T cass_atomicAdd_block(T* address, V value)
{
    return __hip_atomic_fetch_add(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicSub_block(T* address, V value)
{
    return __hip_atomic_fetch_add(address, static_cast<T>(0 - static_cast<T>(value)), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicExch_block(T* address, V value)
{
    return __hip_atomic_exchange(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicMin_block(T* address, V value)
{
    return __hip_atomic_fetch_min(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicMax_block(T* address, V value)
{
    return __hip_atomic_fetch_max(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicAnd_block(T* address, V value)
{
    return __hip_atomic_fetch_and(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicOr_block(T* address, V value)
{
    return __hip_atomic_fetch_or(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V>
__device__ inline T cass_atomicXor_block(T* address, V value)
{
    return __hip_atomic_fetch_xor(address, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T, typename V, typename W>
__device__ inline T cass_atomicCAS_block(T* address, V compare, W value)
{
    T expected = static_cast<T>(compare);
    __hip_atomic_compare_exchange_strong(address, &expected, static_cast<T>(value), __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    return expected;
}
__device__ inline unsigned cass_atomicInc_block(unsigned* address, unsigned limit) { return atomicInc(address, limit); }
__device__ inline unsigned cass_atomicDec_block(unsigned* address, unsigned limit) { return atomicDec(address, limit); }
