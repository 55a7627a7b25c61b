// name: cass_compute_type
// provides: cass_compute_type
// replaces:
// includes: hipblas/hipblas.h
// summary: How cuBLAS computes where a type of data stands in the place of a type of computation; a type that it refuses is refused by hipBLAS (HIPBLAS_STATUS_INVALID_ENUM).
// source: cublas_api.h of CUDA 13.0, cublasMigrateComputeType; hipblas.h of ROCm 6.4
inline hipblasComputeType_t cass_compute_type(hipDataType type)
{
    switch (type) {
    case HIP_R_16F: return HIPBLAS_COMPUTE_16F;
    case HIP_R_32F:
    case HIP_C_32F: return HIPBLAS_COMPUTE_32F;
    case HIP_R_64F:
    case HIP_C_64F: return HIPBLAS_COMPUTE_64F;
    case HIP_R_32I: return HIPBLAS_COMPUTE_32I;
    default: return static_cast<hipblasComputeType_t>(-1);
    }
}
// nvidia:
// cuBLAS takes the type of data itself.
inline cudaDataType cass_compute_type(cudaDataType type)
{
    return type;
}
