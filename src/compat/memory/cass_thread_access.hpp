// name: cass_thread_access
// provides: cass_thread_load, cass_thread_store
// replaces:
// requires: cass_agent_access, cass_volatile_access
// includes: iterator, type_traits
// summary: CUB's ThreadLoad and ThreadStore with what their modifiers mean; hipCUB passes these over and takes no pointer to const.
// source: cub/thread/thread_load.cuh and thread_store.cuh of CUB 2.5; hipcub/thread/thread_load.hpp of ROCm 6.4, HIPCUB_THREAD_LOAD_USE_CACHE_MODIFIERS being 0

// By the numbers of cub::CacheLoadModifier, which are hipCUB's as well. An ordinary access is cached on all levels.
template <int CassModifier> struct cass_thread_access {
    template <typename CassT> __device__ static CassT load(const CassT* from) { return *from; }
    template <typename CassT> __device__ static void store(CassT* to, const CassT& value) { *to = value; }
};
// LOAD_CG, STORE_CG
template <> struct cass_thread_access<2> {
    template <typename CassT> __device__ static CassT load(const CassT* from) { return cass_agent_load(from); }
    template <typename CassT> __device__ static void store(CassT* to, const CassT& value) { cass_agent_store(to, value); }
};
// LOAD_CV, STORE_WT
template <> struct cass_thread_access<4> {
    template <typename CassT> __device__ static CassT load(const CassT* from) { return cass_volatile_load(from); }
    template <typename CassT> __device__ static void store(CassT* to, const CassT& value) { cass_volatile_store(to, value); }
};
// LOAD_VOLATILE, and an ordinary access by a pointer to volatile.
template <> struct cass_thread_access<6> : cass_thread_access<4> {};

template <int CassModifier, typename CassT> struct cass_thread_access_of
    : cass_thread_access<CassModifier != 2 && std::is_volatile<CassT>::value ? 6 : CassModifier> {};

template <int CassModifier = 0, typename CassT>
__device__ inline typename std::remove_cv<CassT>::type cass_thread_load(CassT* from)
{
    return cass_thread_access_of<CassModifier, CassT>::load(const_cast<const typename std::remove_cv<CassT>::type*>(from));
}
// An iterator that is no pointer has nothing to be cached.
template <int CassModifier = 0, typename CassIterator>
__device__ inline typename std::iterator_traits<CassIterator>::value_type cass_thread_load(CassIterator from)
{
    return *from;
}
// STORE_VOLATILE has the number 5.
template <int CassModifier = 0, typename CassT, typename CassV>
__device__ inline void cass_thread_store(CassT* to, CassV value)
{
    using CassPlain = typename std::remove_cv<CassT>::type;
    const CassPlain converted = value;
    cass_thread_access_of<CassModifier == 5 ? 6 : CassModifier, CassT>::store(const_cast<CassPlain*>(to), converted);
}
template <int CassModifier = 0, typename CassIterator, typename CassV>
__device__ inline void cass_thread_store(CassIterator to, CassV value)
{
    *to = value;
}
// nvidia:
#include <cub/cub.cuh>
template <int CassModifier = 0, typename CassIterator>
__device__ inline auto cass_thread_load(CassIterator from) -> decltype(cub::ThreadLoad<static_cast<cub::CacheLoadModifier>(CassModifier)>(from))
{
    return cub::ThreadLoad<static_cast<cub::CacheLoadModifier>(CassModifier)>(from);
}
template <int CassModifier = 0, typename CassIterator, typename CassV>
__device__ inline void cass_thread_store(CassIterator to, CassV value)
{
    cub::ThreadStore<static_cast<cub::CacheStoreModifier>(CassModifier)>(to, value);
}
