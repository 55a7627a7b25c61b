// name: cass_error
// provides: cass_error_string, cass_error_name, cass_last_error, cass_peek_last_error
// replaces:
// summary: Errors in functions that device code calls: HIP's functions are for the host alone, and on the device no call of HIP fails.
// source: CUDA C++ Programming Guide 13.0, device runtime; hip/hip_runtime_api.h of ROCm 6.4
__host__ __device__ inline const char* cass_error_string(hipError_t error)
{
#ifdef __HIP_DEVICE_COMPILE__
    switch (error) {
    case hipSuccess: return "no error";
    case hipErrorInvalidValue: return "invalid argument";
    case hipErrorOutOfMemory: return "out of memory";
    case hipErrorInvalidConfiguration: return "invalid configuration argument";
    case hipErrorLaunchFailure: return "unspecified launch failure";
    case hipErrorNotSupported: return "operation not supported";
    default: return "an error, for whose text the host is to be asked";
    }
#else
    return hipGetErrorString(error);
#endif
}
__host__ __device__ inline const char* cass_error_name(hipError_t error)
{
#ifdef __HIP_DEVICE_COMPILE__
    switch (error) {
    case hipSuccess: return "hipSuccess";
    case hipErrorInvalidValue: return "hipErrorInvalidValue";
    case hipErrorOutOfMemory: return "hipErrorOutOfMemory";
    case hipErrorInvalidConfiguration: return "hipErrorInvalidConfiguration";
    case hipErrorLaunchFailure: return "hipErrorLaunchFailure";
    case hipErrorNotSupported: return "hipErrorNotSupported";
    default: return "hipErrorUnknown";
    }
#else
    return hipGetErrorName(error);
#endif
}
__host__ __device__ inline hipError_t cass_last_error()
{
#ifdef __HIP_DEVICE_COMPILE__
    return hipSuccess;
#else
    return hipGetLastError();
#endif
}
__host__ __device__ inline hipError_t cass_peek_last_error()
{
#ifdef __HIP_DEVICE_COMPILE__
    return hipSuccess;
#else
    return hipPeekAtLastError();
#endif
}
// nvidia:
#define cass_error_string cudaGetErrorString
#define cass_error_name cudaGetErrorName
#define cass_last_error cudaGetLastError
#define cass_peek_last_error cudaPeekAtLastError
