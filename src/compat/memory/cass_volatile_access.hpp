// name: cass_volatile_access
// provides: cass_volatile_load, cass_volatile_store
// replaces:
// requires: cass_piece
// summary: Volatile load and store of any trivially copyable type: each access goes to memory, past the caches of the chip.
// source: LLVM 19 AMDGPU usage, memory model (volatile accesses set the system-coherence bits)
template <typename T>
__device__ inline T cass_volatile_load(const T* address)
{
    using Piece = typename cass_pieces<T>::Piece;
    cass_pieces<T> whole;
    for (unsigned i = 0; i < whole.count; ++i)
        whole.pieces[i] = reinterpret_cast<const volatile Piece*>(address)[i];
    return whole.value;
}

template <typename T>
__device__ inline void cass_volatile_store(T* address, const T& value)
{
    using Piece = typename cass_pieces<T>::Piece;
    cass_pieces<T> whole(value);
    for (unsigned i = 0; i < whole.count; ++i)
        reinterpret_cast<volatile Piece*>(address)[i] = whole.pieces[i];
}
// nvidia:
template <typename T>
__device__ inline T cass_volatile_load(const T* address)
{
    return __ldcv(address);
}
template <typename T>
__device__ inline void cass_volatile_store(T* address, const T& value)
{
    __stwt(address, value);
}
