// name: cass_wave_match
// provides: cass_wave_match
// replaces:
// summary: Lanes of a 64-bit mask, out of the whole wavefront, whose value has the same bits as the caller's.
// source: one ballot for each bit; HIP 6.4 amd_warp_functions.h (__ballot)
template <typename CassT>
__device__ inline unsigned long long cass_wave_match(unsigned long long mask, CassT value)
{
    static_assert(sizeof(CassT) <= 8, "match compares values of up to 64 bits");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof(CassT));
    unsigned long long same = __ballot(1) & mask;
    for (unsigned i = 0; i < 8 * sizeof(CassT); ++i) {
        int bit = static_cast<int>(bits >> i) & 1;
        unsigned long long set = __ballot(bit);
        same &= bit ? set : ~set;
    }
    return same;
}
