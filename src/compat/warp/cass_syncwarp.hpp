// name: cass_syncwarp
// provides: cass_syncwarp
// replaces: __syncwarp
// summary: Orders memory accesses among the lanes of a wavefront. Lanes run in step, so the mask selects nothing.
// source: LLVM 19 AMDGPU usage, memory model (wavefront scope) and llvm.amdgcn.wave.barrier
__device__ inline void cass_syncwarp(unsigned = 0xffffffffu)
{
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
}
