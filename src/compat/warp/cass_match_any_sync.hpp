// name: cass_match_any_sync
// provides: cass_match_any_sync
// replaces: __match_any_sync
// requires: cass_ballot32
// summary: Lanes of the mask whose value has the same bits as the caller's, found with one ballot for each bit.
// source: CUDA C++ Programming Guide 13.0, warp match functions; PTX ISA 8.7, match.sync.any.b32 and .b64
template <typename CassT>
__device__ inline unsigned cass_match_any_sync(unsigned mask, CassT value)
{
    static_assert(sizeof(CassT) == 4 || sizeof(CassT) == 8, "match compares 32-bit or 64-bit values");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, static_cast<const void*>(&value), sizeof(CassT));
    unsigned same = cass_ballot32(1) & mask;
    for (unsigned i = 0; i < 8 * sizeof(CassT); ++i) {
        int bit = static_cast<int>(bits >> i) & 1;
        unsigned set = cass_ballot32(bit);
        same &= bit ? set : ~set;
    }
    return same;
}
