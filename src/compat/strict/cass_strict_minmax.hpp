// name: cass_strict_minmax
// provides: cass_strict_hmax, cass_strict_hmin, cass_strict_hmax_nan, cass_strict_hmin_nan
// replaces:
// strict: __hmax, __hmin, __hmax_nan, __hmin_nan
// requires: cass_half_minmax
// summary: Minimum and maximum of halves, for which -0 is less than 0.
// source: CUDA Math API 13.0, half precision intrinsics; measured on an H100, emulator/tools/surface.gold.xz
template <typename CassHalf>
__host__ __device__ inline CassHalf cass_strict_hmax(CassHalf x, CassHalf y) { return cass_half_extreme<CassHalf, 1, false>(x, y); }
template <typename CassHalf>
__host__ __device__ inline CassHalf cass_strict_hmin(CassHalf x, CassHalf y) { return cass_half_extreme<CassHalf, -1, false>(x, y); }
template <typename CassHalf>
__host__ __device__ inline CassHalf cass_strict_hmax_nan(CassHalf x, CassHalf y) { return cass_hmax_nan(x, y); }
template <typename CassHalf>
__host__ __device__ inline CassHalf cass_strict_hmin_nan(CassHalf x, CassHalf y) { return cass_hmin_nan(x, y); }
