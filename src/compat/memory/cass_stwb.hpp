// name: cass_stwb
// provides: cass_stwb
// replaces: __stwb
// summary: Store cached at all levels, which is what an ordinary store does.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints; AMD GPU ISA (nt, sc and glc bits)
template <typename CassT, typename CassV>
__device__ inline void cass_stwb(CassT* address, CassV value)
{
    *address = value;
}
