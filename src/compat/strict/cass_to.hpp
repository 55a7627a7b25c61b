// name: cass_to
// provides: cass_to
// replaces:
// summary: A cast between numbers with CUDA's result for every float: what is no number, or out of range, is undefined in C++.
// source: PTX ISA 8.7, cvt: floats are limited to the range; what is no number gives 0 in 32 bits from a float, else the upper bit alone. nvcc 13.0 converts to 8 and 16 bits by way of 32
template <class CassTo, class CassFrom>
__host__ __device__ constexpr CassTo cass_to(const CassFrom& value)
{
#ifdef __HIP_DEVICE_COMPILE__
    if constexpr (!__is_integral(CassTo) || __is_same(CassTo, bool) || sizeof(CassTo) > 8) {
        return (CassTo)value;
    } else if constexpr (__is_class(CassFrom) && sizeof(CassFrom) == 2 && sizeof(CassTo) == 8) {
        // A half or a bfloat16: HIP converts them to 64 bits by way of 32.
        return cass_to<CassTo>(static_cast<float>(value));
    } else if constexpr (!__is_floating_point(CassFrom)) {
        return (CassTo)value;
    } else if constexpr (sizeof(CassTo) < 4) {
        if constexpr (CassTo(-1) < CassTo(0))
            return static_cast<CassTo>(cass_to<int>(value));
        else
            return static_cast<CassTo>(cass_to<unsigned>(value));
    } else {
        constexpr bool is_signed = CassTo(-1) < CassTo(0);
        constexpr CassTo upper_bit = static_cast<CassTo>(sizeof(CassTo) == 8 ? 1ull << 63 : 1u << 31);
        constexpr CassTo nan = sizeof(CassTo) == 4 && sizeof(CassFrom) == 4 ? CassTo(0) : upper_bit;
        constexpr CassTo low = is_signed ? upper_bit : CassTo(0);
        constexpr CassTo high = static_cast<CassTo>(~low);
        constexpr double end = (sizeof(CassTo) == 8 ? 0x1p63 : 0x1p31) * (is_signed ? 1 : 2);
        // The instructions for 32 bits keep to the range by themselves; what the compiler works out itself it may leave undefined.
        if (sizeof(CassTo) == 4 && !__builtin_constant_p(value)) {
            if constexpr (nan == CassTo(0))
                return static_cast<CassTo>(value);
            else
                return value == value ? static_cast<CassTo>(value) : nan;
        }
        if (!(value == value))
            return nan;
        if (!(value < end))
            return high;
        return value > (is_signed ? -end : 0.0) ? static_cast<CassTo>(value) : low;
    }
#else
    return (CassTo)value;
#endif
}
// nvidia:
template <class CassTo, class CassFrom>
__host__ __device__ constexpr CassTo cass_to(const CassFrom& value)
{
    return (CassTo)value;
}
