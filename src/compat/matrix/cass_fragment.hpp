// name: cass_fragment
// provides: cass_fragment, cass_parts
// replaces:
// summary: A lane's part of a matrix, register by register.
// source: PTX ISA 8.7, "Matrix Fragments for mma" (each lane holds some registers of each matrix)
// nvidia: same
template <typename CassT, int CassN>
struct cass_fragment {
    CassT part[CassN];
};
template <typename CassT, typename... CassParts>
__device__ inline cass_fragment<CassT, sizeof...(CassParts)> cass_parts(CassParts... parts)
{
    return {{static_cast<CassT>(parts)...}};
}
