// name: cass_is_finite
// provides: cass_is_finite
// replaces:
// summary: Whether a double is neither an infinity nor a NaN, from its bits, so that -ffast-math cannot fold the test.
// source: IEEE 754-2019, binary64 encoding
// nvidia: same
__host__ __device__ inline bool cass_is_finite(double x)
{
    unsigned long long bits;
    __builtin_memcpy(&bits, &x, sizeof(x));
    return (bits >> 52 & 0x7ff) != 0x7ff;
}
