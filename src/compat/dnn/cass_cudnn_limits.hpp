// name: cass_cudnn_limits
// provides: cass_CUDNN_DIM_MAX, cass_CUDNN_LRN_MIN_N, cass_CUDNN_LRN_MAX_N, cass_CUDNN_LRN_MIN_K, cass_CUDNN_LRN_MIN_BETA
// replaces: CUDNN_DIM_MAX, CUDNN_LRN_MIN_N, CUDNN_LRN_MAX_N, CUDNN_LRN_MIN_K, CUDNN_LRN_MIN_BETA
// summary: Limits of cuDNN, by which programs size arrays and check what they are given; MIOpen publishes none.
// limit: These are cuDNN's own limits: MIOpen takes tensors of at most 5 dimensions and says so when it is called.
// source: cudnn_ops.h and cudnn_graph.h of cuDNN 9
#define cass_CUDNN_DIM_MAX 8
#define cass_CUDNN_LRN_MIN_N 1
#define cass_CUDNN_LRN_MAX_N 16
#define cass_CUDNN_LRN_MIN_K 1e-5
#define cass_CUDNN_LRN_MIN_BETA 0.01
