// name: cass_cudnn_release
// provides: cass_CUDNN_VERSION, cass_CUDNN_MAJOR, cass_CUDNN_MINOR, cass_CUDNN_PATCHLEVEL
// replaces: CUDNN_VERSION, CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL
// summary: The release of cuDNN whose interfaces MIOpen and these helpers have, 7.6.0, by which conditions about it are decided as well.
// limit: The number is cuDNN 7.6's, whose interfaces MIOpen has, and not MIOpen's own, which cudnnGetVersion gives: the two are never equal.
// source: miopen/miopen.h of ROCm 6.4 has what cuDNN 7.6 has: grouped and dilated convolutions, no graphs
#define cass_CUDNN_VERSION 7600
#define cass_CUDNN_MAJOR 7
#define cass_CUDNN_MINOR 6
#define cass_CUDNN_PATCHLEVEL 0
