// Two invented devices behind the few runtime functions that the helpers of the CUDA samples call.
#pragma once
enum hipError_t { hipSuccess = 0, hipErrorInvalidValue = 1 };
enum hipDeviceAttribute_t {
    hipDeviceAttributeComputeMode,
    hipDeviceAttributeComputeCapabilityMajor,
    hipDeviceAttributeMultiprocessorCount,
    hipDeviceAttributeClockRate,
    hipDeviceAttributeIntegrated,
    hipDeviceAttributeWarpSize
};
enum { hipComputeModeProhibited = 2 };
using hipDevice_t = int;
struct hipDeviceProp_t { char name[32], gcnArchName[32]; };

// Rows: compute mode, major, multiprocessors, clock, integrated, warp size.
static int shim_devices[3][6] = {{0, 9, 100, 1000, 0, 64}, {0, 11, 60, 1000, 1, 32}, {2, 9, 900, 9000, 0, 64}};
static int shim_count = 3, shim_current = -1, shim_inits;
static hipError_t shim_last = hipSuccess;

inline const char* hipGetErrorName(hipError_t e) { return e ? "hipErrorInvalidValue" : "hipSuccess"; }
inline const char* hipGetErrorString(hipError_t e) { return e ? "invalid argument" : "no error"; }
inline hipError_t hipGetLastError() { hipError_t e = shim_last; shim_last = hipSuccess; return e; }
inline hipError_t hipGetDeviceCount(int* n) { *n = shim_count; return hipSuccess; }
inline hipError_t hipDeviceGetAttribute(int* v, hipDeviceAttribute_t a, int d) { *v = shim_devices[d][a]; return hipSuccess; }
inline hipError_t hipSetDevice(int d) { shim_current = d; return d < shim_count ? hipSuccess : hipErrorInvalidValue; }
inline hipError_t hipGetDevice(int* d) { *d = shim_current; return hipSuccess; }
inline hipError_t hipInit(unsigned) { ++shim_inits; return hipSuccess; }
inline hipError_t hipDeviceGet(hipDevice_t* h, int d) { *h = d; return hipSuccess; }
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int d)
{
    snprintf(p->name, sizeof(p->name), "Invented %d", d);
    snprintf(p->gcnArchName, sizeof(p->gcnArchName), "gfx%d", d);
    return hipSuccess;
}
