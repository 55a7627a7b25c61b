// name: cass_brkpt
// provides: cass_brkpt
// replaces: __brkpt
// summary: Stops in the debugger.
// source: CUDA C++ Programming Guide 13.0, breakpoint function; clang 19, __builtin_debugtrap
__device__ inline void cass_brkpt()
{
    __builtin_debugtrap();
}
