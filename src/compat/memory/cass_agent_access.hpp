// name: cass_agent_access
// provides: cass_agent_load, cass_agent_store
// replaces:
// requires: cass_piece
// summary: Relaxed atomic load and store of agent scope, in words of up to 8 bytes: past the cache of a compute unit, never merged or moved.
// source: clang 19 __hip_atomic builtins; LLVM 19 AMDGPU usage, memory model (load atomic monotonic agent: glc on gfx90a and gfx11, sc1 on gfx942)
template <unsigned CassBytes> struct cass_word;
template <> struct cass_word<1> { typedef unsigned char __attribute__((may_alias)) type; };
template <> struct cass_word<2> { typedef unsigned short __attribute__((may_alias)) type; };
template <> struct cass_word<4> { typedef unsigned int __attribute__((may_alias)) type; };
template <> struct cass_word<8> { typedef unsigned long long __attribute__((may_alias)) type; };

// No atomic access is wider than 8 bytes.
template <typename CassT>
union cass_words {
    using Word = typename cass_word<cass_piece_size(sizeof(CassT) % 16 == 0 ? 8 : sizeof(CassT), alignof(CassT))>::type;
    static constexpr unsigned count = sizeof(CassT) / sizeof(Word);
    CassT value;
    Word words[count];
    __device__ cass_words() {}
    __device__ explicit cass_words(const CassT& from) : value(from) {}
};

template <typename CassT>
__device__ inline CassT cass_agent_load(const CassT* address)
{
    using Word = typename cass_words<CassT>::Word;
    cass_words<CassT> whole;
    for (unsigned i = 0; i < whole.count; ++i)
        whole.words[i] = __hip_atomic_load(reinterpret_cast<const Word*>(address) + i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    return whole.value;
}

template <typename CassT>
__device__ inline void cass_agent_store(CassT* address, const CassT& value)
{
    using Word = typename cass_words<CassT>::Word;
    cass_words<CassT> whole(value);
    for (unsigned i = 0; i < whole.count; ++i)
        __hip_atomic_store(reinterpret_cast<Word*>(address) + i, whole.words[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
// nvidia:
template <typename CassT>
__device__ inline CassT cass_agent_load(const CassT* address)
{
    return __ldcg(address);
}
template <typename CassT>
__device__ inline void cass_agent_store(CassT* address, const CassT& value)
{
    __stcg(address, value);
}
