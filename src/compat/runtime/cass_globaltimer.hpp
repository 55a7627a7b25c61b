// name: cass_globaltimer
// provides: cass_globaltimer
// replaces: %globaltimer
// summary: Nanoseconds of a clock that all compute units share; CASS_WALL_CLOCK_MHZ must match hipDeviceAttributeWallClockRate.
// source: HIP 6.4 amd_device_functions.h (wall_clock64); LLVM 19 AMDGPU usage, s_memrealtime
#ifndef CASS_WALL_CLOCK_MHZ
#define CASS_WALL_CLOCK_MHZ 100
#endif
__device__ inline unsigned long long cass_globaltimer()
{
    return static_cast<unsigned long long>(wall_clock64()) * 1000u / CASS_WALL_CLOCK_MHZ;
}
// nvidia:
__device__ inline unsigned long long cass_globaltimer()
{
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}
