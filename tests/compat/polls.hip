// Kernels that wait for another block, each with one load in its loop. device_check.sh reads their instructions: the loop is there,
// and its load goes past the cache of a compute unit. A store that another block waits for has to leave the L2 cache of gfx942.
#include "cass_hip_compat.hpp"

extern "C" {
__global__ void poll_ldcg(const int* flag, int* out)
{
    while (cass_ldcg(flag) == 0) {
    }
    *out = 1;
}
__global__ void poll_ldcv(const int* flag, int* out)
{
    while (cass_ldcv(flag) == 0) {
    }
    *out = 1;
}
__global__ void poll_cub(const volatile int* flag, int* out)
{
    while (cass_thread_load<2>(flag) == 0) {
    }
    *out = 1;
}
__global__ void poll_cub_volatile(int* flag, int* out)
{
    while (cass_thread_load<6>(flag) == 0) {
    }
    *out = 1;
}
// What `asm volatile("ld.global.s32 %0, [%1];" …)` becomes.
__global__ void poll_asm(const int* flag, int* out)
{
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    *out = 1;
}
__global__ void store_stcg(int* flag, int value)
{
    cass_stcg(flag, value);
}
__global__ void store_cub(int* flag, int value)
{
    cass_thread_store<2>(flag, value);
}
__global__ void store_stwt(int* flag, int value)
{
    cass_stwt(flag, value);
}
}
