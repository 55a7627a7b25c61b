// name: cass_dpx_parts
// provides: cass_smaller, cass_larger, cass_dpx_map3
// replaces:
// requires: cass_simd_map
// summary: Minimum, maximum and a three-operand map over 16-bit parts, for the dynamic-programming (DPX) functions.
// source: CUDA Math API 13.0, integer and SIMD intrinsics (DPX)
// nvidia: same
template <typename CassT>
__host__ __device__ inline CassT cass_smaller(CassT a, CassT b)
{
    return b < a ? b : a;
}
template <typename CassT>
__host__ __device__ inline CassT cass_larger(CassT a, CassT b)
{
    return a < b ? b : a;
}

template <bool CassSigned, typename CassF>
__host__ __device__ inline unsigned cass_dpx_map3(unsigned a, unsigned b, unsigned c, CassF f)
{
    unsigned result = 0;
    for (unsigned i = 0; i < 2; ++i) {
        int part = f(cass_simd_part<2, CassSigned>(a, i), cass_simd_part<2, CassSigned>(b, i), cass_simd_part<2, CassSigned>(c, i));
        result |= (static_cast<unsigned>(part) & 0xffffu) << (16 * i);
    }
    return result;
}
