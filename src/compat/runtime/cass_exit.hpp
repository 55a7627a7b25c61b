// name: cass_exit
// provides: cass_exit
// replaces: std::exit
// includes: cstdlib
// summary: Ends the program on the host, and the kernel with an error on the device.
// source: C++17 std::exit; nvcc 12.4 compiles a call of it in code for host and device, and ends the thread there
// nvidia: same
[[noreturn]] __host__ __device__ inline void cass_exit(int code)
{
#if defined(__HIP_DEVICE_COMPILE__)
    (void)code;
    __builtin_trap();
#elif defined(__CUDA_ARCH__)
    (void)code;
    __trap();
    __builtin_unreachable();
#else
    std::exit(code);
#endif
}
