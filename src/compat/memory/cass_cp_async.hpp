// name: cass_cp_async
// provides: cass_cp_async
// replaces:
// requires: cass_cvta
// summary: Copy of 4, 8 or 16 bytes to an LDS address, at once; what `given` leaves of them becomes zero.
// source: PTX ISA 8.7, cp.async; asynchronous copies to LDS exist on gfx950 alone in this width
// nvidia: same
template <unsigned Bytes>
__device__ inline void cass_cp_async(unsigned to, const void* from, unsigned given = Bytes)
{
    char* target = static_cast<char*>(cass_cvta_shared_to_generic(to));
    const char* source = static_cast<const char*>(from);
    if (given >= Bytes) {
        __builtin_memcpy(__builtin_assume_aligned(target, Bytes), __builtin_assume_aligned(source, Bytes), Bytes);
        return;
    }
    for (unsigned i = 0; i < Bytes; ++i)
        target[i] = i < given ? source[i] : 0;
}
