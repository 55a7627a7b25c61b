// name: cass_vector_base
// provides: cass_vector_base
// replaces:
// summary: The members and the layout of a vector type for a class that is derived from it, without the operators that HIP's have.
// source: amd_hip_vector_types.h of ROCm 6.4, HIP_vector_base; vector types of CUDA have no operators
template <typename Vector> struct cass_vector_base_of { typedef Vector type; };
#if defined(__clang__)
template <typename T, unsigned int n> struct cass_vector_base_of<HIP_vector_type<T, n>> { typedef HIP_vector_base<T, n> type; };
#endif
template <typename Vector> using cass_vector_base = typename cass_vector_base_of<Vector>::type;
// nvidia:
template <typename Vector> using cass_vector_base = Vector;
