// name: cass_shift
// provides: cass_shl, cass_shr
// replaces:
// summary: Shifts whose amount may reach the width of the value or be negative: all bits go out, as on NVIDIA.
// source: PTX ISA 8.7, shl and shr (amounts are unsigned, and clamped to the width)
// nvidia: same
template <typename CassValue>
__host__ __device__ constexpr auto cass_shl(CassValue value, unsigned amount) -> decltype(value << 0)
{
    return amount < sizeof(value << 0) * 8 ? value << amount : decltype(value << 0)(0);
}
// The sign fills what comes in.
template <typename CassValue>
__host__ __device__ constexpr auto cass_shr(CassValue value, unsigned amount) -> decltype(value >> 0)
{
    return amount < sizeof(value >> 0) * 8 ? value >> amount : value >> (sizeof(value >> 0) * 8 - 1) >> 1;
}
