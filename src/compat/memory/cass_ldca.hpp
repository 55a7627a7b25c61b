// name: cass_ldca
// provides: cass_ldca
// replaces: __ldca
// summary: Load cached at all levels, which is what an ordinary load does.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints; AMD GPU ISA (nt, sc and glc bits)
template <typename CassT>
__device__ inline CassT cass_ldca(const CassT* address)
{
    return *address;
}
