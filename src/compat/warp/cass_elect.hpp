// name: cass_elect
// provides: cass_elect
// replaces: elect.sync
// requires: cass_ballot32, cass_lane_id32
// summary: True in exactly one active lane of the mask: the lowest of the 32-lane logical warp.
// source: PTX ISA 8.7, elect.sync
// nvidia: same
__device__ inline bool cass_elect(unsigned mask = 0xffffffffu)
{
    unsigned members = cass_ballot32(1) & mask;
    unsigned lane = cass_lane_id32();
    return (members & ((2u << lane) - 1u)) == 1u << lane;
}
