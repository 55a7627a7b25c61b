// name: cass_streaming_access
// provides: cass_streaming_load, cass_streaming_store
// replaces:
// requires: cass_piece
// summary: Non-temporal load and store of any trivially copyable type: the lines are the first to leave the caches.
// source: clang 19 language extensions, non-temporal load and store builtins; LLVM 19 AMDGPU usage, memory model
template <typename CassT>
__device__ inline CassT cass_streaming_load(const CassT* address)
{
    using Piece = typename cass_pieces<CassT>::Piece;
    cass_pieces<CassT> whole;
    for (unsigned i = 0; i < whole.count; ++i)
        whole.pieces[i] = __builtin_nontemporal_load(reinterpret_cast<const Piece*>(address) + i);
    return whole.value;
}

template <typename CassT>
__device__ inline void cass_streaming_store(CassT* address, const CassT& value)
{
    using Piece = typename cass_pieces<CassT>::Piece;
    cass_pieces<CassT> whole(value);
    for (unsigned i = 0; i < whole.count; ++i)
        __builtin_nontemporal_store(whole.pieces[i], reinterpret_cast<Piece*>(address) + i);
}
// nvidia:
template <typename CassT>
__device__ inline CassT cass_streaming_load(const CassT* address)
{
    return __ldcs(address);
}
template <typename CassT>
__device__ inline void cass_streaming_store(CassT* address, const CassT& value)
{
    __stcs(address, value);
}
