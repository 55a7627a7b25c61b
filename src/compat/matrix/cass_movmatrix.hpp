// name: cass_movmatrix
// provides: cass_movmatrix
// replaces:
// requires: cass_lane_id32, cass_shfl_sync
// summary: A matrix of 8 by 8 halves, transposed between the lanes of a warp, `movmatrix`.
// source: PTX ISA 8.7, movmatrix
// nvidia: same
__device__ inline unsigned cass_movmatrix(unsigned word)
{
    const unsigned group = cass_lane_id32() / 4u, place = cass_lane_id32() & 3u;
    // Rows 2 * place and the next one hold what belongs together, in the column that this lane has the row of.
    const unsigned low = cass_shfl_sync(~0u, word, place * 8u + group / 2u);
    const unsigned high = cass_shfl_sync(~0u, word, place * 8u + 4u + group / 2u);
    const unsigned shift = group % 2u * 16u;
    return (low >> shift & 0xffffu) | (high >> shift) << 16;
}
