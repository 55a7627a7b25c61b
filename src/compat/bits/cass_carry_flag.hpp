// name: cass_carry_flag
// provides: cass_carry_flag
// replaces:
// summary: The carry of each thread of a block, for chains that go on from one asm statement to the next, in 4 KB of LDS.
// source: PTX ISA 8.7, extended-precision integer arithmetic: CC.CF
// nvidia: same

// The compiler hands the carry on in registers where it sees the whole chain: of its writes to LDS only the last one is left.
__device__ inline unsigned& cass_carry_flag()
{
    static __shared__ unsigned flags[1024];
    return flags[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)];
}
