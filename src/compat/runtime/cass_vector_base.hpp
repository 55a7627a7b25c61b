// name: cass_vector_base
// provides: cass_vector_base
// replaces:
// summary: The members and the layout of a vector type for a class that is derived from it, without the operators that HIP's have.
// source: amd_hip_vector_types.h of ROCm 6.4, HIP_vector_base; vector types of CUDA have no operators
template <typename CassVector> struct cass_vector_base_of { typedef CassVector type; };
#if defined(__clang__)
template <typename CassElement, unsigned int CassWidth>
struct cass_vector_base_of<HIP_vector_type<CassElement, CassWidth>> { typedef HIP_vector_base<CassElement, CassWidth> type; };
#endif
template <typename CassVector> using cass_vector_base = typename cass_vector_base_of<CassVector>::type;
// nvidia:
template <typename CassVector> using cass_vector_base = CassVector;
