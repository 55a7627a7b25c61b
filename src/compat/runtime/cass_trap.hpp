// name: cass_trap
// provides: cass_trap
// replaces: __trap
// summary: Aborts the kernel.
// source: CUDA C++ Programming Guide 13.0, trap function; clang 19, __builtin_trap
__device__ inline void cass_trap()
{
    __builtin_trap();
}
