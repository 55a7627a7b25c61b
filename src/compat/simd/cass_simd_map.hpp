// name: cass_simd_map
// provides: cass_simd_part, cass_simd_map
// replaces:
// summary: Applies a function to each pair of parts (two 16-bit or four 8-bit integers) of two words and joins the low bits of the results.
// source: CUDA Math API 13.0, SIMD intrinsics
// nvidia: same
template <unsigned CassParts, bool CassSigned>
__host__ __device__ inline int cass_simd_part(unsigned word, unsigned index)
{
    constexpr unsigned width = 32 / CassParts;
    unsigned top = word << (32 - width * (index + 1));
    return CassSigned ? static_cast<int>(top) >> (32 - width) : static_cast<int>(top >> (32 - width));
}

template <unsigned CassParts, bool CassSigned, typename CassF>
__host__ __device__ inline unsigned cass_simd_map(unsigned a, unsigned b, CassF f)
{
    constexpr unsigned width = 32 / CassParts;
    unsigned result = 0;
    for (unsigned i = 0; i < CassParts; ++i) {
        int part = f(cass_simd_part<CassParts, CassSigned>(a, i), cass_simd_part<CassParts, CassSigned>(b, i));
        result |= (static_cast<unsigned>(part) & ((1u << width) - 1u)) << (width * i);
    }
    return result;
}
