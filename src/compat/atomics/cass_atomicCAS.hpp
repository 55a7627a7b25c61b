// name: cass_atomicCAS
// provides: cass_atomicCAS
// replaces: atomicCAS
// requires: cass_atomic_update
// summary: atomicCAS for 16-bit numbers, by way of the 32-bit word that holds them; other types as in HIP.
// source: CUDA C++ Programming Guide 13.0, atomic functions
__device__ inline unsigned short cass_atomic_cas(unsigned short* address, unsigned short compare, unsigned short value)
{
    return cass_atomic_update_short(address, [=](unsigned short old) { return old == compare ? value : old; });
}
template <typename CassT>
__device__ inline CassT cass_atomic_cas(CassT* address, CassT compare, CassT value) { return atomicCAS(address, compare, value); }

template <typename CassT, typename CassV, typename CassW>
__device__ inline CassT cass_atomicCAS(CassT* address, CassV compare, CassW value)
{
    return cass_atomic_cas(address, static_cast<CassT>(compare), static_cast<CassT>(value));
}
