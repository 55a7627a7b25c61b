// name: cass_ldcg
// provides: cass_ldcg
// replaces: __ldcg
// requires: cass_agent_access
// summary: Load from the L2 cache, which sees what other blocks wrote: a relaxed atomic load of agent scope, fit to poll with.
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints (CUDA 13.0 holds them as asm volatile)
template <typename CassT>
__device__ inline CassT cass_ldcg(const CassT* address)
{
    return cass_agent_load(address);
}
