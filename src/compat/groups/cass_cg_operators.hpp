// name: cass_cg_operators
// provides: cass_plus, cass_less, cass_greater, cass_bit_and, cass_bit_or, cass_bit_xor
// replaces: cooperative_groups::plus, cooperative_groups::less, cooperative_groups::greater, cooperative_groups::bit_and, cooperative_groups::bit_or, cooperative_groups::bit_xor
// summary: Function objects for group reductions and scans; less keeps the smaller of two values and greater the larger.
// source: CUDA C++ Programming Guide 13.0, cooperative groups, cooperative_groups/reduce.h
// nvidia: same
template <typename CassT> struct cass_plus {
    __host__ __device__ CassT operator()(CassT a, CassT b) const { return a + b; }
};
template <typename CassT> struct cass_less {
    __host__ __device__ CassT operator()(CassT a, CassT b) const { return b < a ? b : a; }
};
template <typename CassT> struct cass_greater {
    __host__ __device__ CassT operator()(CassT a, CassT b) const { return a < b ? b : a; }
};
template <typename CassT> struct cass_bit_and {
    __host__ __device__ CassT operator()(CassT a, CassT b) const { return a & b; }
};
template <typename CassT> struct cass_bit_or {
    __host__ __device__ CassT operator()(CassT a, CassT b) const { return a | b; }
};
template <typename CassT> struct cass_bit_xor {
    __host__ __device__ CassT operator()(CassT a, CassT b) const { return a ^ b; }
};
