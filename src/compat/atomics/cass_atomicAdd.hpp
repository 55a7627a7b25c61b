// name: cass_atomicAdd
// provides: cass_atomicAdd
// replaces: atomicAdd
// requires: cass_atomic_update
// includes: hip/hip_bf16.h, hip/hip_fp16.h
// summary: atomicAdd for half, bfloat16, their pairs, long long and volatile addresses by compare and swap; other types as in HIP.
// source: CUDA C++ Programming Guide 13.0, atomic functions
template <typename CassH>
__device__ inline CassH cass_atomic_add_short(CassH* address, CassH value)
{
    unsigned short seen = cass_atomic_update_short(address, [=](unsigned short old) {
        CassH number;
        __builtin_memcpy(static_cast<void*>(&number), &old, sizeof(old));
        number = __hadd(number, value);
        __builtin_memcpy(&old, static_cast<const void*>(&number), sizeof(old));
        return old;
    });
    __builtin_memcpy(static_cast<void*>(&value), &seen, sizeof(seen));
    return value;
}
template <typename CassH2>
__device__ inline CassH2 cass_atomic_add_pair(CassH2* address, CassH2 value)
{
    unsigned seen = cass_atomic_update_word(reinterpret_cast<unsigned*>(address), [=](unsigned old) {
        CassH2 pair;
        __builtin_memcpy(static_cast<void*>(&pair), &old, sizeof(old));
        pair = __hadd2(pair, value);
        __builtin_memcpy(&old, static_cast<const void*>(&pair), sizeof(old));
        return old;
    });
    __builtin_memcpy(static_cast<void*>(&value), &seen, sizeof(seen));
    return value;
}
__device__ inline __half cass_atomic_add(__half* address, __half value) { return cass_atomic_add_short(address, value); }
__device__ inline __half2 cass_atomic_add(__half2* address, __half2 value) { return cass_atomic_add_pair(address, value); }
__device__ inline __hip_bfloat16 cass_atomic_add(__hip_bfloat16* address, __hip_bfloat16 value)
{
    return cass_atomic_add_short(address, value);
}
__device__ inline __hip_bfloat162 cass_atomic_add(__hip_bfloat162* address, __hip_bfloat162 value)
{
    return cass_atomic_add_pair(address, value);
}
__device__ inline long long cass_atomic_add(long long* address, long long value)
{
    return static_cast<long long>(atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
}
template <typename CassT>
__device__ inline CassT cass_atomic_add(CassT* address, CassT value) { return atomicAdd(address, value); }

template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicAdd(CassT* address, CassV value)
{
    return cass_atomic_add(address, static_cast<CassT>(value));
}
template <typename CassT, typename CassV>
__device__ inline CassT cass_atomicAdd(volatile CassT* address, CassV value)
{
    return cass_atomic_add(const_cast<CassT*>(address), static_cast<CassT>(value));
}
