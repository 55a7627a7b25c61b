// name: cass_nvtx_name
// provides: cass_nvtxNameCudaStream, cass_nvtxNameCudaStreamA, cass_nvtxNameCudaEvent, cass_nvtxNameCudaEventA, cass_nvtxNameCudaDevice, cass_nvtxNameCudaDeviceA, cass_nvtxNameCategory, cass_nvtxNameCategoryA, cass_nvtxNameOsThread, cass_nvtxNameOsThreadA
// replaces: nvtxNameCudaStream, nvtxNameCudaStreamA, nvtxNameCudaEvent, nvtxNameCudaEventA, nvtxNameCudaDevice, nvtxNameCudaDeviceA, nvtxNameCategory, nvtxNameCategoryA, nvtxNameOsThread, nvtxNameOsThreadA
// summary: Names of streams, events, devices, categories and threads, which roctracer's roctx has no place for: these do nothing.
// source: NVTX 3 documentation, resource naming; roctracer/roctx.h of ROCm 6.4
template <typename T> inline void cass_nvtxNameCudaStreamA(T, const char*) {}
template <typename T> inline void cass_nvtxNameCudaStream(T, const char*) {}
template <typename T> inline void cass_nvtxNameCudaEventA(T, const char*) {}
template <typename T> inline void cass_nvtxNameCudaEvent(T, const char*) {}
template <typename T> inline void cass_nvtxNameCudaDeviceA(T, const char*) {}
template <typename T> inline void cass_nvtxNameCudaDevice(T, const char*) {}
template <typename T> inline void cass_nvtxNameCategoryA(T, const char*) {}
template <typename T> inline void cass_nvtxNameCategory(T, const char*) {}
template <typename T> inline void cass_nvtxNameOsThreadA(T, const char*) {}
template <typename T> inline void cass_nvtxNameOsThread(T, const char*) {}
