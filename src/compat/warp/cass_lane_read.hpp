// name: cass_lane_read
// provides: cass_lane_read
// replaces:
// summary: Value that another lane of the hardware wavefront holds, for any trivially copyable type, in 32-bit pieces.
// source: AMD GPU ISA, DS_BPERMUTE_B32 (address is four times the lane); clang 19 attribute maybe_undef
template <typename CassT>
__device__ inline CassT cass_lane_read(__attribute__((maybe_undef)) CassT value, unsigned lane)
{
    constexpr unsigned words = (sizeof(CassT) + 3) / 4;
    int piece[words] = {};
    __builtin_memcpy(piece, static_cast<const void*>(&value), sizeof(CassT));
    for (unsigned i = 0; i < words; ++i)
        piece[i] = __builtin_amdgcn_ds_bpermute(static_cast<int>(lane << 2), piece[i]);
    __builtin_memcpy(static_cast<void*>(&value), piece, sizeof(CassT));
    return value;
}
// nvidia:
template <typename CassT>
__device__ inline CassT cass_lane_read(CassT value, unsigned lane)
{
    constexpr unsigned words = (sizeof(CassT) + 3) / 4;
    int piece[words] = {};
    memcpy(piece, &value, sizeof(CassT));
    for (unsigned i = 0; i < words; ++i)
        piece[i] = __shfl_sync(__activemask(), piece[i], static_cast<int>(lane));
    memcpy(&value, piece, sizeof(CassT));
    return value;
}
