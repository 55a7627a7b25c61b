// name: cass_simd_clamp
// provides: cass_simd_clamp
// replaces:
// summary: Limits a value to a range, for the saturating SIMD functions.
// source: CUDA Math API 13.0, SIMD intrinsics
// nvidia: same
__host__ __device__ inline int cass_simd_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}
