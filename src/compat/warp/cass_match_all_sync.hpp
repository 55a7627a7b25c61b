// name: cass_match_all_sync
// provides: cass_match_all_sync
// replaces: __match_all_sync
// requires: cass_ballot32, cass_match_any_sync
// summary: The mask and a true predicate if all active lanes of the mask hold the same bits, otherwise 0 and false.
// source: CUDA C++ Programming Guide 13.0, warp match functions
template <typename CassT>
__device__ inline unsigned cass_match_all_sync(unsigned mask, CassT value, int* predicate)
{
    unsigned same = cass_match_any_sync(mask, value);
    *predicate = same == (cass_ballot32(1) & mask);
    return *predicate ? mask : 0u;
}
