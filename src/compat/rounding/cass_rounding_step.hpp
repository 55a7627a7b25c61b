// name: cass_rounding_step
// provides: cass_rounding_step, cass_round_toward
// replaces:
// summary: Neighbour of a floating-point number, and the choice between a number and its neighbour from the side of the exact result.
// source: IEEE 754-2019, rounding-direction attributes and nextUp
// nvidia: same

// The next number above (direction 1) or below (-1); steps from an infinity to the largest number, and through zero.
__host__ __device__ inline float cass_rounding_step(float x, int direction)
{
    unsigned bits = 1;
    if (x != 0.0f)
        __builtin_memcpy(&bits, &x, sizeof(x));
    else if (direction < 0)
        bits = 0x80000001u;
    if (x != 0.0f)
        bits += (x > 0.0f) == (direction > 0) ? 1u : ~0u;
    __builtin_memcpy(&x, &bits, sizeof(x));
    return x;
}
__host__ __device__ inline double cass_rounding_step(double x, int direction)
{
    unsigned long long bits = 1;
    if (x != 0.0)
        __builtin_memcpy(&bits, &x, sizeof(x));
    else if (direction < 0)
        bits = 0x8000000000000001ull;
    if (x != 0.0)
        bits += (x > 0.0) == (direction > 0) ? 1ull : ~0ull;
    __builtin_memcpy(&x, &bits, sizeof(x));
    return x;
}

// `nearest` moved so that it is the exact result rounded down (Toward -1), up (1) or towards zero (0).
// `side` is the sign of the exact result minus `nearest`.
template <int CassToward, typename CassT>
__host__ __device__ inline CassT cass_round_toward(CassT nearest, int side)
{
    int direction = CassToward != 0 ? CassToward : nearest > 0 ? -1 : 1;
    bool stay = side != direction || (CassToward == 0 && nearest == 0);
    return stay ? nearest : cass_rounding_step(nearest, direction);
}
