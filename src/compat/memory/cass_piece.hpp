// name: cass_piece
// provides: cass_piece, cass_piece_size, cass_pieces
// replaces:
// summary: The widest machine access that the size and alignment of a type allow, as a vector, which may alias any type.
// source: clang 19 language extensions (__builtin_nontemporal_load takes scalars and vectors, not structs such as float4)
__device__ constexpr unsigned cass_piece_size(unsigned size, unsigned alignment)
{
    unsigned piece = 16;
    while (size % piece != 0 || alignment % piece != 0)
        piece /= 2;
    return piece;
}

template <unsigned CassBytes> struct cass_piece;
template <> struct cass_piece<1> { typedef unsigned char __attribute__((vector_size(1), may_alias)) type; };
template <> struct cass_piece<2> { typedef unsigned short __attribute__((vector_size(2), may_alias)) type; };
template <> struct cass_piece<4> { typedef unsigned int __attribute__((vector_size(4), may_alias)) type; };
template <> struct cass_piece<8> { typedef unsigned int __attribute__((vector_size(8), may_alias)) type; };
template <> struct cass_piece<16> { typedef unsigned int __attribute__((vector_size(16), may_alias)) type; };

// No assertion on triviality: __hip_bfloat162 of HIP 6.4 has a copy constructor of its own, which copies its bits.
template <typename CassT>
union cass_pieces {
    using Piece = typename cass_piece<cass_piece_size(sizeof(CassT), alignof(CassT))>::type;
    static constexpr unsigned count = sizeof(CassT) / sizeof(Piece);
    CassT value;
    Piece pieces[count];
    __device__ cass_pieces() {}
    __device__ explicit cass_pieces(const CassT& from) : value(from) {}
};
// nvidia:
__host__ __device__ constexpr unsigned cass_piece_size(unsigned size, unsigned alignment)
{
    unsigned piece = 16;
    while (size % piece != 0 || alignment % piece != 0)
        piece /= 2;
    return piece;
}

template <unsigned CassBytes> struct cass_piece;
template <> struct cass_piece<1> { typedef unsigned char type; };
template <> struct cass_piece<2> { typedef unsigned short type; };
template <> struct cass_piece<4> { typedef unsigned int type; };
template <> struct cass_piece<8> { typedef uint2 type; };
template <> struct cass_piece<16> { typedef uint4 type; };
