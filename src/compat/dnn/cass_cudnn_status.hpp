// name: cass_cudnn_status
// provides: cass_CUDNN_STATUS_ARCH_MISMATCH, cass_CUDNN_STATUS_MAPPING_ERROR, cass_CUDNN_STATUS_LICENSE_ERROR, cass_CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING, cass_CUDNN_STATUS_RUNTIME_IN_PROGRESS
// replaces: CUDNN_STATUS_ARCH_MISMATCH, CUDNN_STATUS_MAPPING_ERROR, CUDNN_STATUS_LICENSE_ERROR, CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING, CUDNN_STATUS_RUNTIME_IN_PROGRESS
// includes: miopen/miopen.h
// summary: Statuses of cuDNN that MIOpen never returns, so that comparisons and cases keep their meaning: each is a value that no status of MIOpen has.
// source: cudnn_graph.h of cuDNN 9; miopen/miopen.h of ROCm 6.4, miopenStatus_t, whose values end at 10 and whose range at 15
#define cass_CUDNN_STATUS_ARCH_MISMATCH ((miopenStatus_t)11)
#define cass_CUDNN_STATUS_MAPPING_ERROR ((miopenStatus_t)12)
#define cass_CUDNN_STATUS_LICENSE_ERROR ((miopenStatus_t)13)
#define cass_CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING ((miopenStatus_t)14)
#define cass_CUDNN_STATUS_RUNTIME_IN_PROGRESS ((miopenStatus_t)15)
