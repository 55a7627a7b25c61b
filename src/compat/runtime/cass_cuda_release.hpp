// name: cass_cuda_release
// provides: cass_CUDART_VERSION, cass_CUDA_VERSION
// replaces: CUDART_VERSION, CUDA_VERSION
// summary: The release of CUDA whose interfaces HIP has, 12.0, by which conditions about it are decided as well.
// limit: The number is CUDA 12.0's, whose interfaces HIP has, and not HIP's own, which cudaRuntimeGetVersion and cudaDriverGetVersion give: check every comparison with these.
// source: HIP porting guide; hip/hip_runtime_api.h of ROCm 6.4
#define cass_CUDART_VERSION 12000
#define cass_CUDA_VERSION 12000
