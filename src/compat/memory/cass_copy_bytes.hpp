// name: cass_copy_bytes
// provides: cass_copy_bytes, cass_copy_pieces
// replaces:
// requires: cass_piece
// summary: Cooperative copy: each of `count` threads moves every count-th piece, in the widest pieces the addresses allow.
// source: own design; asynchronous copies to LDS have no counterpart that works on gfx90a, gfx942 and gfx11 alike
// nvidia: same
template <unsigned CassBytes>
__device__ inline void cass_copy_pieces(void* to, const void* from, size_t size, unsigned rank, unsigned count)
{
    using Piece = typename cass_piece<CassBytes>::type;
    for (size_t i = rank; i < size / CassBytes; i += count)
        static_cast<Piece*>(to)[i] = static_cast<const Piece*>(from)[i];
}

__device__ inline void cass_copy_bytes(void* to, const void* from, size_t size, unsigned rank, unsigned count)
{
    size_t bits = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | size;
    if (bits % 16 == 0)
        cass_copy_pieces<16>(to, from, size, rank, count);
    else if (bits % 4 == 0)
        cass_copy_pieces<4>(to, from, size, rank, count);
    else
        cass_copy_pieces<1>(to, from, size, rank, count);
}
