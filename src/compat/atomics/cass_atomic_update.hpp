// name: cass_atomic_update
// provides: cass_atomic_update_word, cass_atomic_update_short
// replaces:
// summary: Atomic read-modify-write by compare and swap, of a 32-bit word and of a 16-bit part of one, in global or shared memory.
// source: CUDA C++ Programming Guide 13.0, atomic functions; clang 19 __hip_atomic builtins

// Replaces the word by f(word) and returns the word that was there.
template <typename CassF>
__device__ inline unsigned cass_atomic_update_word(unsigned* address, CassF f)
{
    unsigned seen = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (!__hip_atomic_compare_exchange_strong(address, &seen, f(seen), __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
    }
    return seen;
}

// The same for 16 bits, by way of the aligned word that holds them.
template <typename CassF>
__device__ inline unsigned short cass_atomic_update_short(void* address, CassF f)
{
    size_t place = reinterpret_cast<size_t>(address);
    unsigned shift = static_cast<unsigned>(place & 2) * 8;
    unsigned* word = reinterpret_cast<unsigned*>(place & ~static_cast<size_t>(3));
    unsigned seen = cass_atomic_update_word(word, [=](unsigned old) {
        unsigned part = f(static_cast<unsigned short>(old >> shift));
        return (old & ~(0xffffu << shift)) | part << shift;
    });
    return static_cast<unsigned short>(seen >> shift);
}
