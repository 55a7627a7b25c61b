// name: cass_nvtx_name
// provides: cass_nvtxNameCudaStream, cass_nvtxNameCudaStreamA, cass_nvtxNameCudaEvent, cass_nvtxNameCudaEventA, cass_nvtxNameCudaDevice, cass_nvtxNameCudaDeviceA, cass_nvtxNameCategory, cass_nvtxNameCategoryA, cass_nvtxNameOsThread, cass_nvtxNameOsThreadA
// replaces: nvtxNameCudaStream, nvtxNameCudaStreamA, nvtxNameCudaEvent, nvtxNameCudaEventA, nvtxNameCudaDevice, nvtxNameCudaDeviceA, nvtxNameCategory, nvtxNameCategoryA, nvtxNameOsThread, nvtxNameOsThreadA
// summary: Names of streams, events, devices, categories and threads, which roctracer's roctx has no place for: these do nothing.
// source: NVTX 3 documentation, resource naming; roctracer/roctx.h of ROCm 6.4
template <typename CassT> inline void cass_nvtxNameCudaStreamA(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCudaStream(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCudaEventA(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCudaEvent(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCudaDeviceA(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCudaDevice(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCategoryA(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameCategory(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameOsThreadA(CassT, const char*) {}
template <typename CassT> inline void cass_nvtxNameOsThread(CassT, const char*) {}
