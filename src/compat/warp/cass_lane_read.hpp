// name: cass_lane_read
// provides: cass_lane_read
// replaces:
// summary: Value that another lane of the hardware wavefront holds, for any trivially copyable type, in 32-bit pieces.
// source: AMD GPU ISA, DS_BPERMUTE_B32 (address is four times the lane); clang 19 attribute maybe_undef
template <typename T>
__device__ inline T cass_lane_read(__attribute__((maybe_undef)) T value, unsigned lane)
{
    constexpr unsigned words = (sizeof(T) + 3) / 4;
    int piece[words] = {};
    __builtin_memcpy(piece, static_cast<const void*>(&value), sizeof(T));
    for (unsigned i = 0; i < words; ++i)
        piece[i] = __builtin_amdgcn_ds_bpermute(static_cast<int>(lane << 2), piece[i]);
    __builtin_memcpy(static_cast<void*>(&value), piece, sizeof(T));
    return value;
}
// nvidia:
template <typename T>
__device__ inline T cass_lane_read(T value, unsigned lane)
{
    constexpr unsigned words = (sizeof(T) + 3) / 4;
    int piece[words] = {};
    memcpy(piece, &value, sizeof(T));
    for (unsigned i = 0; i < words; ++i)
        piece[i] = __shfl_sync(__activemask(), piece[i], static_cast<int>(lane));
    memcpy(&value, piece, sizeof(T));
    return value;
}
