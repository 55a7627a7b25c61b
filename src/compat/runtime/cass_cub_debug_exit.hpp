// name: cass_cub_debug_exit
// provides: cass_CubDebugExit
// replaces: CubDebugExit
// includes: cstdio, cstdlib
// summary: Ends the program where a call failed, as CUB's macro does; hipCUB has only the one that goes on.
// source: util_debug.cuh of CUB 2.5
inline void cass_cub_exit(hipError_t error, const char* file, int line)
{
    if (error == hipSuccess)
        return;
    std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", static_cast<int>(error), file, line, hipGetErrorString(error));
    std::exit(1);
}
#define cass_CubDebugExit(error) cass_cub_exit((error), __FILE__, __LINE__)
