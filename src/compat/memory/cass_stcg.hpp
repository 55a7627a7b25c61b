// name: cass_stcg
// provides: cass_stcg
// replaces: __stcg
// requires: cass_agent_access
// summary: Store to the L2 cache, which other blocks see: a relaxed atomic store of agent scope (between the L2 caches of gfx942 as well).
// source: CUDA C++ Programming Guide 13.0, load and store functions using cache hints; LLVM 19 AMDGPU usage, memory model of gfx942 (sc1)
template <typename CassT, typename CassV>
__device__ inline void cass_stcg(CassT* address, CassV value)
{
    CassT converted = value;
    cass_agent_store(address, converted);
}
