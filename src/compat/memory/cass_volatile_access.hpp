// name: cass_volatile_access
// provides: cass_volatile_load, cass_volatile_store
// replaces:
// requires: cass_piece
// summary: Volatile load and store of any trivially copyable type: each access goes to memory, past the caches of the chip.
// source: LLVM 19 AMDGPU usage, memory model (volatile accesses set the system-coherence bits)
template <typename CassT>
__device__ inline CassT cass_volatile_load(const CassT* address)
{
    using Piece = typename cass_pieces<CassT>::Piece;
    cass_pieces<CassT> whole;
    for (unsigned i = 0; i < whole.count; ++i)
        whole.pieces[i] = reinterpret_cast<const volatile Piece*>(address)[i];
    return whole.value;
}

template <typename CassT>
__device__ inline void cass_volatile_store(CassT* address, const CassT& value)
{
    using Piece = typename cass_pieces<CassT>::Piece;
    cass_pieces<CassT> whole(value);
    for (unsigned i = 0; i < whole.count; ++i)
        reinterpret_cast<volatile Piece*>(address)[i] = whole.pieces[i];
}
// nvidia:
template <typename CassT>
__device__ inline CassT cass_volatile_load(const CassT* address)
{
    return __ldcv(address);
}
template <typename CassT>
__device__ inline void cass_volatile_store(CassT* address, const CassT& value)
{
    __stwt(address, value);
}
