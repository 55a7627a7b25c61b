// name: helper_cuda
// provides: checkCudaErrors, getLastCudaError, printLastCudaError, _cudaGetErrorEnum, findCudaDevice, findIntegratedGPU, gpuDeviceInit, gpuGetMaxGflopsDeviceId, checkCudaCapabilities, _ConvertSMVer2Cores, _ConvertSMVer2ArchName, ftoi, MAX
// replaces: helper_cuda.h
// requires: helper_string
// includes: cstdio, cstdlib
// summary: Error checks and device choice of the CUDA samples' helper_cuda.h under their own names, for HIP and its libraries.
// source: documented behaviour of the CUDA samples (Common); HIP hardware features (64 lanes a compute unit, 128 a WGP)

// The guard of the samples' own header, which has the same names.
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_
#define CASS_SAMPLES_HELPER_CUDA
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline const char* _cudaGetErrorEnum(hipError_t error)
{
    return hipGetErrorName(error);
}
// Status codes of the libraries: all count success as 0; their names would need every library's header.
template <typename CassStatus>
inline const char* _cudaGetErrorEnum(CassStatus)
{
    return "library status";
}

template <typename CassStatus>
inline void check(CassStatus result, const char* call, const char* file, int line)
{
    if (static_cast<int>(result) == 0)
        return;
    fprintf(stderr, "HIP error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<int>(result), _cudaGetErrorEnum(result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

inline bool cass_report_last_error(const char* message, const char* file, int line)
{
    const hipError_t error = hipGetLastError();
    if (error != hipSuccess)
        fprintf(stderr, "%s(%i) : HIP error : %s : (%d) %s.\n", file, line, message, static_cast<int>(error), hipGetErrorString(error));
    return error != hipSuccess;
}
inline void cass_exit_on_last_error(const char* message, const char* file, int line)
{
    if (cass_report_last_error(message, file, line))
        exit(EXIT_FAILURE);
}
#define getLastCudaError(message) cass_exit_on_last_error(message, __FILE__, __LINE__)
#define printLastCudaError(message) (void)cass_report_last_error(message, __FILE__, __LINE__)

inline int ftoi(float value)
{
    return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f);
}

// Lanes of one multiprocessor: gfx9 counts compute units of 64 lanes, gfx10 and later work-group processors of 128.
inline int _ConvertSMVer2Cores(int major, int)
{
    return major >= 10 ? 128 : 64;
}

inline const char* _ConvertSMVer2ArchName(int major, int)
{
    if (major >= 12)
        return "RDNA 4";
    if (major == 11)
        return "RDNA 3";
    return major == 10 ? "RDNA" : "GCN or CDNA";
}

#endif

inline int cass_device_count()
{
    int count = 0;
    checkCudaErrors(hipGetDeviceCount(&count));
    if (count == 0) {
        fprintf(stderr, "HIP error: no devices.\n");
        exit(EXIT_FAILURE);
    }
    return count;
}

inline int cass_device_attribute(hipDeviceAttribute_t attribute, int device)
{
    int value = 0;
    checkCudaErrors(hipDeviceGetAttribute(&value, attribute, device));
    return value;
}

inline bool cass_device_usable(int device)
{
    return cass_device_attribute(hipDeviceAttributeComputeMode, device) != hipComputeModeProhibited;
}

inline void cass_print_device(const char* what, int device)
{
    hipDeviceProp_t properties;
    checkCudaErrors(hipGetDeviceProperties(&properties, device));
    printf("%s %d: \"%s\" (%s)\n\n", what, device, properties.name, properties.gcnArchName);
}

#ifdef CASS_SAMPLES_HELPER_CUDA
// Makes the device current; a negative result means that it does not exist or cannot be used.
inline int gpuDeviceInit(int device)
{
    const int count = cass_device_count();
    if (device < 0)
        device = 0;
    if (device >= count) {
        fprintf(stderr, "\n>> %d GPU device(s) detected. <<\n>> gpuDeviceInit (-device=%d) is not a valid GPU device. <<\n\n", count, device);
        return -device;
    }
    if (!cass_device_usable(device)) {
        fprintf(stderr, "Error: device %d is in prohibited compute mode.\n", device);
        return -1;
    }
    checkCudaErrors(hipSetDevice(device));
    return device;
}

inline int gpuGetMaxGflopsDeviceId()
{
    const int count = cass_device_count();
    int best = -1;
    double best_rate = -1.0;
    for (int device = 0; device < count; ++device) {
        if (!cass_device_usable(device))
            continue;
        const int major = cass_device_attribute(hipDeviceAttributeComputeCapabilityMajor, device);
        const double rate = static_cast<double>(cass_device_attribute(hipDeviceAttributeMultiprocessorCount, device)) *
                            _ConvertSMVer2Cores(major, 0) * cass_device_attribute(hipDeviceAttributeClockRate, device);
        if (rate > best_rate) {
            best_rate = rate;
            best = device;
        }
    }
    if (best < 0) {
        fprintf(stderr, "HIP error: all devices are in prohibited compute mode.\n");
        exit(EXIT_FAILURE);
    }
    return best;
}

// The device that -device=N names, otherwise the fastest one; it is made current.
inline int findCudaDevice(int argc, const char** argv)
{
    int device = 0;
    if (checkCmdLineFlag(argc, argv, "device")) {
        device = getCmdLineArgumentInt(argc, argv, "device=");
        if (device >= 0)
            device = gpuDeviceInit(device);
        if (device < 0) {
            printf("Invalid device on the command line\n");
            exit(EXIT_FAILURE);
        }
    } else {
        device = gpuGetMaxGflopsDeviceId();
        checkCudaErrors(hipSetDevice(device));
    }
    cass_print_device("GPU Device", device);
    return device;
}

inline int findIntegratedGPU()
{
    const int count = cass_device_count();
    for (int device = 0; device < count; ++device) {
        if (cass_device_attribute(hipDeviceAttributeIntegrated, device) && cass_device_usable(device)) {
            checkCudaErrors(hipSetDevice(device));
            cass_print_device("GPU Device", device);
            return device;
        }
    }
    fprintf(stderr, "No integrated GPU was found.\n");
    exit(EXIT_FAILURE);
}

// AMD's major and minor numbers name an instruction set, not a compute capability, so they decide nothing here.
inline bool checkCudaCapabilities(int, int)
{
    int device = 0;
    checkCudaErrors(hipGetDevice(&device));
    cass_print_device("  Device", device);
    return true;
}
#endif
