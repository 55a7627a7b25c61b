// name: cass_stream_value
// provides: cass_CU_STREAM_WRITE_VALUE_DEFAULT
// replaces: CU_STREAM_WRITE_VALUE_DEFAULT
// summary: The flag of cuStreamWriteValue that asks for nothing; hipStreamWriteValue32 takes 0.
// source: cuda.h of CUDA 13.0, CUstreamWriteValue_flags; hip/hip_runtime_api.h of ROCm 6.4
#define cass_CU_STREAM_WRITE_VALUE_DEFAULT 0
