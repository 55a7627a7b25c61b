// name: cass_shfl_lane
// provides: cass_shfl_idx_lane, cass_shfl_up_lane, cass_shfl_down_lane, cass_shfl_xor_lane
// replaces:
// requires: cass_lane_id32
// summary: Lane that shfl.sync reads by its operands b and c, in the 32-lane logical warp; 32 more where its predicate is false, and the caller's own then.
// source: PTX ISA 8.7, shfl.sync (the low bits of c clamp the lane, the bits from 8 on are those of the segment)
// nvidia: same
__device__ inline unsigned cass_shfl_within(unsigned from, bool is_inside) { return is_inside ? from & 31u : cass_lane_id32() + 32u; }
// The last lane of the caller's segment that may be read; for `up` the first.
__device__ inline unsigned cass_shfl_limit(unsigned c)
{
    unsigned segment = c >> 8 & 31u;
    return (cass_lane_id32() & segment) | (c & 31u & ~segment);
}
__device__ inline unsigned cass_shfl_idx_lane(unsigned b, unsigned c)
{
    unsigned segment = c >> 8 & 31u, from = (cass_lane_id32() & segment) | (b & 31u & ~segment);
    return cass_shfl_within(from, from <= cass_shfl_limit(c));
}
__device__ inline unsigned cass_shfl_up_lane(unsigned b, unsigned c)
{
    int from = static_cast<int>(cass_lane_id32()) - static_cast<int>(b & 31u);
    return cass_shfl_within(static_cast<unsigned>(from), from >= static_cast<int>(cass_shfl_limit(c)));
}
__device__ inline unsigned cass_shfl_down_lane(unsigned b, unsigned c)
{
    unsigned from = cass_lane_id32() + (b & 31u);
    return cass_shfl_within(from, from <= cass_shfl_limit(c));
}
__device__ inline unsigned cass_shfl_xor_lane(unsigned b, unsigned c)
{
    unsigned from = cass_lane_id32() ^ (b & 31u);
    return cass_shfl_within(from, from <= cass_shfl_limit(c));
}
