// name: cass_movmatrix
// provides: cass_movmatrix
// requires: cass_lane_read
// replaces:
// summary: A matrix of 8 by 8 halves, transposed between the lanes of a warp, `movmatrix`.
// source: PTX ISA 8.7, movmatrix
__device__ inline unsigned cass_movmatrix(unsigned word)
{
    const unsigned warp = __lane_id() & ~31u;
    const unsigned group = (__lane_id() & 31u) / 4u, place = __lane_id() & 3u;
    // Rows 2 * place and the next one hold what belongs together, in the column that this lane has the row of.
    const unsigned low = cass_lane_read(word, warp + place * 8u + group / 2u);
    const unsigned high = cass_lane_read(word, warp + place * 8u + 4u + group / 2u);
    const unsigned shift = group % 2u * 16u;
    return (low >> shift & 0xffffu) | (high >> shift) << 16;
}
