// name: cass_cudnn_version
// provides: cass_cudnnGetVersion, cass_cudnnGetCudartVersion
// replaces: cudnnGetVersion, cudnnGetCudartVersion
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: The release of MIOpen and of HIP as one number: 1000 times the first part, 100 times the second, the third; it is smaller than any of cuDNN's.
// limit: The number is that of MIOpen (3400 for 3.4.0), smaller than any of cuDNN's: check every comparison with it.
// source: cuDNN developer guide, cudnnGetVersion; miopen/miopen.h of ROCm 6.4, miopenGetVersion
CASS_DNN_INLINE size_t cass_cudnnGetVersion(void)
{
    size_t major = 0, minor = 0, patch = 0;
    return miopenGetVersion(&major, &minor, &patch) == miopenStatusSuccess ? major * 1000 + minor * 100 + patch : 0;
}
CASS_DNN_INLINE size_t cass_cudnnGetCudartVersion(void)
{
    int version = 0;
    return hipRuntimeGetVersion(&version) == hipSuccess ? (size_t)version : 0;
}
