// name: cass_shift
// provides: cass_shl, cass_shr
// replaces:
// summary: Shifts whose amount may reach the width of the value or be negative: all bits go out, as on NVIDIA.
// source: PTX ISA 8.7, shl and shr (amounts are unsigned, and clamped to the width)
// nvidia: same
template <typename CassValue, typename CassAmount>
__host__ __device__ constexpr auto cass_shl(const CassValue& value, CassAmount amount) -> decltype(value << amount)
{
    // An operator of the program's own.
    if constexpr (__is_class(CassValue) || __is_class(CassAmount) || __is_enum(CassValue))
        return value << amount;
    else
        return static_cast<unsigned>(amount) < sizeof(value << 0) * 8 ? value << amount : decltype(value << 0)(0);
}
// The sign fills what comes in.
template <typename CassValue, typename CassAmount>
__host__ __device__ constexpr auto cass_shr(const CassValue& value, CassAmount amount) -> decltype(value >> amount)
{
    if constexpr (__is_class(CassValue) || __is_class(CassAmount) || __is_enum(CassValue))
        return value >> amount;
    else
        return static_cast<unsigned>(amount) < sizeof(value >> 0) * 8 ? value >> amount : value >> (sizeof(value >> 0) * 8 - 1) >> 1;
}
