// name: cass_nanosleep
// provides: cass_nanosleep
// replaces: __nanosleep
// summary: Sleeps for about the given nanoseconds, at most a millisecond, as CUDA does: naps of 64 clocks, 32 ns at 2 GHz.
// source: CUDA C++ Programming Guide 13.0, nanosleep function; AMD GPU ISA, S_SLEEP
__device__ inline void cass_nanosleep(unsigned nanoseconds)
{
    unsigned wanted = nanoseconds < 1000000u ? nanoseconds : 1000000u;
    for (unsigned slept = 0; slept < wanted; slept += 32)
        __builtin_amdgcn_s_sleep(1);
}
