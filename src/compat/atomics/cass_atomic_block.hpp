// name: cass_atomic_block
// provides: cass_atomicAdd_block, cass_atomicSub_block, cass_atomicExch_block, cass_atomicMin_block, cass_atomicMax_block, cass_atomicAnd_block, cass_atomicOr_block, cass_atomicXor_block, cass_atomicCAS_block, cass_atomicInc_block, cass_atomicDec_block
// replaces: atomicAdd_block, atomicSub_block, atomicExch_block, atomicMin_block, atomicMax_block, atomicAnd_block, atomicOr_block, atomicXor_block, atomicCAS_block, atomicInc_block, atomicDec_block
// summary: Atomics of block scope with the work-group scope of HIP (increment and decrement with the wider one of the device).
// source: CUDA C++ Programming Guide 13.0, atomic functions; clang 19 __hip_atomic builtins
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicAdd_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_add(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicSub_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_add(address, static_cast<CassT>(0 - static_cast<CassT>(value)), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicExch_block(CassT* address, CassV value)
{
    return __hip_atomic_exchange(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicMin_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_min(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicMax_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_max(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicAnd_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_and(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicOr_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_or(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicXor_block(CassT* address, CassV value)
{
    return __hip_atomic_fetch_xor(address, static_cast<CassT>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename CassT, typename CassV, typename CassW>
__device__ inline CassT cass_atomicCAS_block(CassT* address, CassV compare, CassW value)
{
    CassT expected = static_cast<CassT>(compare);
    __hip_atomic_compare_exchange_strong(address, &expected, static_cast<CassT>(value), __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    return expected;
}
__device__ inline unsigned cass_atomicInc_block(unsigned* address, unsigned limit) { return atomicInc(address, limit); }
__device__ inline unsigned cass_atomicDec_block(unsigned* address, unsigned limit) { return atomicDec(address, limit); }
