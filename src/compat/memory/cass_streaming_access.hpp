// name: cass_streaming_access
// provides: cass_streaming_load, cass_streaming_store
// replaces:
// requires: cass_piece
// summary: Non-temporal load and store of any trivially copyable type: the lines are the first to leave the caches.
// source: clang 19 language extensions, non-temporal load and store builtins; LLVM 19 AMDGPU usage, memory model
template <typename T>
__device__ inline T cass_streaming_load(const T* address)
{
    using Piece = typename cass_pieces<T>::Piece;
    cass_pieces<T> whole;
    for (unsigned i = 0; i < whole.count; ++i)
        whole.pieces[i] = __builtin_nontemporal_load(reinterpret_cast<const Piece*>(address) + i);
    return whole.value;
}

template <typename T>
__device__ inline void cass_streaming_store(T* address, const T& value)
{
    using Piece = typename cass_pieces<T>::Piece;
    cass_pieces<T> whole(value);
    for (unsigned i = 0; i < whole.count; ++i)
        __builtin_nontemporal_store(whole.pieces[i], reinterpret_cast<Piece*>(address) + i);
}
// nvidia:
template <typename T>
__device__ inline T cass_streaming_load(const T* address)
{
    return __ldcs(address);
}
template <typename T>
__device__ inline void cass_streaming_store(T* address, const T& value)
{
    __stcs(address, value);
}
