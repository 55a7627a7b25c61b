// name: cass_cp_async
// provides: cass_cp_async
// replaces:
// requires: cass_cvta
// summary: Copy of 4, 8 or 16 bytes to an LDS address, at once; what `given` leaves of them becomes zero.
// source: PTX ISA 8.7, cp.async; asynchronous copies to LDS exist on gfx950 alone in this width
// nvidia: same
template <unsigned CassBytes>
__device__ inline void cass_cp_async(unsigned to, const void* from, unsigned given = CassBytes)
{
    char* target = static_cast<char*>(cass_cvta_shared_to_generic(to));
    const char* source = static_cast<const char*>(from);
    if (given >= CassBytes) {
        __builtin_memcpy(__builtin_assume_aligned(target, CassBytes), __builtin_assume_aligned(source, CassBytes), CassBytes);
        return;
    }
    for (unsigned i = 0; i < CassBytes; ++i)
        target[i] = i < given ? source[i] : 0;
}
