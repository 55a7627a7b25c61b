// name: cass_double2half
// provides: cass_double2half
// replaces: __double2half
// includes: hip/hip_fp16.h
// summary: Double to half, rounded once, to nearest.
// source: CUDA Math API 13.0, half and bfloat16 precision intrinsics
__host__ __device__ inline __half cass_double2half(double value)
{
    _Float16 rounded = static_cast<_Float16>(value);
    __half result;
    __builtin_memcpy(static_cast<void*>(&result), &rounded, sizeof(result));
    return result;
}
