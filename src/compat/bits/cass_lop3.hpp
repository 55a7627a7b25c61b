// name: cass_lop3
// provides: cass_lop3
// replaces: lop3.b32
// summary: Any logical function of three words, given by its truth table as PTX gives it; the compiler folds it to its operations.
// source: PTX ISA 8.7, lop3
// nvidia: same
template <unsigned CassTable>
__host__ __device__ inline unsigned cass_lop3(unsigned a, unsigned b, unsigned c)
{
    unsigned result = 0;
    for (unsigned row = 0; row < 8; ++row)
        if (CassTable >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}
