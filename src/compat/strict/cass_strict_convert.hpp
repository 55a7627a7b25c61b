// name: cass_strict_convert
// provides: cass_strict_float2ll_rd, cass_strict_float2ll_rn, cass_strict_float2ll_ru, cass_strict_float2ll_rz, cass_strict_float2ull_rd, cass_strict_float2ull_rn, cass_strict_float2ull_ru, cass_strict_float2ull_rz, cass_strict_double2int_rd, cass_strict_double2int_rn, cass_strict_double2int_ru, cass_strict_double2int_rz, cass_strict_double2uint_rd, cass_strict_double2uint_rn, cass_strict_double2uint_ru, cass_strict_double2uint_rz, cass_strict_double2ll_rd, cass_strict_double2ll_rn, cass_strict_double2ll_ru, cass_strict_double2ll_rz, cass_strict_double2ull_rd, cass_strict_double2ull_rn, cass_strict_double2ull_ru, cass_strict_double2ull_rz
// replaces:
// strict: __float2ll_rd, __float2ll_rn, __float2ll_ru, __float2ll_rz, __float2ull_rd, __float2ull_rn, __float2ull_ru, __float2ull_rz, __double2int_rd, __double2int_rn, __double2int_ru, __double2int_rz, __double2uint_rd, __double2uint_rn, __double2uint_ru, __double2uint_rz, __double2ll_rd, __double2ll_rn, __double2ll_ru, __double2ll_rz, __double2ull_rd, __double2ull_rn, __double2ull_ru, __double2ull_rz
// requires: cass_to
// summary: Conversions of floats to integers with CUDA's result for what is no number, infinite or out of range.
// source: CUDA Math API 13.0, type casting intrinsics; measured on an H100, emulator/tools/surface.gold.xz
__host__ __device__ inline long long cass_strict_float2ll_rd(float x) { return cass_to<long long>(__builtin_floorf(x)); }
__host__ __device__ inline long long cass_strict_float2ll_rn(float x) { return cass_to<long long>(__builtin_rintf(x)); }
__host__ __device__ inline long long cass_strict_float2ll_ru(float x) { return cass_to<long long>(__builtin_ceilf(x)); }
__host__ __device__ inline long long cass_strict_float2ll_rz(float x) { return cass_to<long long>(x); }
__host__ __device__ inline unsigned long long cass_strict_float2ull_rd(float x) { return cass_to<unsigned long long>(__builtin_floorf(x)); }
__host__ __device__ inline unsigned long long cass_strict_float2ull_rn(float x) { return cass_to<unsigned long long>(__builtin_rintf(x)); }
__host__ __device__ inline unsigned long long cass_strict_float2ull_ru(float x) { return cass_to<unsigned long long>(__builtin_ceilf(x)); }
__host__ __device__ inline unsigned long long cass_strict_float2ull_rz(float x) { return cass_to<unsigned long long>(x); }
__host__ __device__ inline int cass_strict_double2int_rd(double x) { return cass_to<int>(__builtin_floor(x)); }
__host__ __device__ inline int cass_strict_double2int_rn(double x) { return cass_to<int>(__builtin_rint(x)); }
__host__ __device__ inline int cass_strict_double2int_ru(double x) { return cass_to<int>(__builtin_ceil(x)); }
__host__ __device__ inline int cass_strict_double2int_rz(double x) { return cass_to<int>(x); }
__host__ __device__ inline unsigned int cass_strict_double2uint_rd(double x) { return cass_to<unsigned int>(__builtin_floor(x)); }
__host__ __device__ inline unsigned int cass_strict_double2uint_rn(double x) { return cass_to<unsigned int>(__builtin_rint(x)); }
__host__ __device__ inline unsigned int cass_strict_double2uint_ru(double x) { return cass_to<unsigned int>(__builtin_ceil(x)); }
__host__ __device__ inline unsigned int cass_strict_double2uint_rz(double x) { return cass_to<unsigned int>(x); }
__host__ __device__ inline long long cass_strict_double2ll_rd(double x) { return cass_to<long long>(__builtin_floor(x)); }
__host__ __device__ inline long long cass_strict_double2ll_rn(double x) { return cass_to<long long>(__builtin_rint(x)); }
__host__ __device__ inline long long cass_strict_double2ll_ru(double x) { return cass_to<long long>(__builtin_ceil(x)); }
__host__ __device__ inline long long cass_strict_double2ll_rz(double x) { return cass_to<long long>(x); }
__host__ __device__ inline unsigned long long cass_strict_double2ull_rd(double x) { return cass_to<unsigned long long>(__builtin_floor(x)); }
__host__ __device__ inline unsigned long long cass_strict_double2ull_rn(double x) { return cass_to<unsigned long long>(__builtin_rint(x)); }
__host__ __device__ inline unsigned long long cass_strict_double2ull_ru(double x) { return cass_to<unsigned long long>(__builtin_ceil(x)); }
__host__ __device__ inline unsigned long long cass_strict_double2ull_rz(double x) { return cass_to<unsigned long long>(x); }
