// name: cass_cudnn_find
// provides: cass_cudnnDeterminism_t, cass_CUDNN_NON_DETERMINISTIC, cass_CUDNN_DETERMINISTIC, cass_cudnnConvolutionFwdAlgoPerf_t, cass_cudnnConvolutionFwdAlgoPerfStruct, cass_cudnnConvolutionFwdPreference_t, cass_CUDNN_CONVOLUTION_FWD_NO_WORKSPACE, cass_CUDNN_CONVOLUTION_FWD_PREFER_FASTEST, cass_CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, cass_cudnnGetConvolutionForwardAlgorithmMaxCount, cass_cudnnGetConvolutionForwardAlgorithm, cass_cudnnGetConvolutionForwardAlgorithm_v7, cass_cudnnFindConvolutionForwardAlgorithm, cass_cudnnFindConvolutionForwardAlgorithmEx, cass_cudnnConvolutionBwdDataAlgoPerf_t, cass_cudnnConvolutionBwdDataAlgoPerfStruct, cass_cudnnConvolutionBwdDataPreference_t, cass_CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE, cass_CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST, cass_CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT, cass_cudnnGetConvolutionBackwardDataAlgorithmMaxCount, cass_cudnnGetConvolutionBackwardDataAlgorithm, cass_cudnnGetConvolutionBackwardDataAlgorithm_v7, cass_cudnnFindConvolutionBackwardDataAlgorithm, cass_cudnnFindConvolutionBackwardDataAlgorithmEx, cass_cudnnConvolutionBwdFilterAlgoPerf_t, cass_cudnnConvolutionBwdFilterAlgoPerfStruct, cass_cudnnConvolutionBwdFilterPreference_t, cass_CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE, cass_CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST, cass_CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, cass_cudnnGetConvolutionBackwardFilterAlgorithmMaxCount, cass_cudnnGetConvolutionBackwardFilterAlgorithm, cass_cudnnGetConvolutionBackwardFilterAlgorithm_v7, cass_cudnnFindConvolutionBackwardFilterAlgorithm, cass_cudnnFindConvolutionBackwardFilterAlgorithmEx
// replaces: cudnnDeterminism_t, CUDNN_NON_DETERMINISTIC, CUDNN_DETERMINISTIC, cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionFwdAlgoPerfStruct, cudnnConvolutionFwdPreference_t, CUDNN_CONVOLUTION_FWD_NO_WORKSPACE, CUDNN_CONVOLUTION_FWD_PREFER_FASTEST, CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, cudnnGetConvolutionForwardAlgorithmMaxCount, cudnnGetConvolutionForwardAlgorithm, cudnnGetConvolutionForwardAlgorithm_v7, cudnnFindConvolutionForwardAlgorithm, cudnnFindConvolutionForwardAlgorithmEx, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdDataAlgoPerfStruct, cudnnConvolutionBwdDataPreference_t, CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE, CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST, CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT, cudnnGetConvolutionBackwardDataAlgorithmMaxCount, cudnnGetConvolutionBackwardDataAlgorithm, cudnnGetConvolutionBackwardDataAlgorithm_v7, cudnnFindConvolutionBackwardDataAlgorithm, cudnnFindConvolutionBackwardDataAlgorithmEx, cudnnConvolutionBwdFilterAlgoPerf_t, cudnnConvolutionBwdFilterAlgoPerfStruct, cudnnConvolutionBwdFilterPreference_t, CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE, CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST, CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, cudnnGetConvolutionBackwardFilterAlgorithmMaxCount, cudnnGetConvolutionBackwardFilterAlgorithm, cudnnGetConvolutionBackwardFilterAlgorithm_v7, cudnnFindConvolutionBackwardFilterAlgorithm, cudnnFindConvolutionBackwardFilterAlgorithmEx
// requires: cass_cudnn_algorithm, cass_cudnn_math_type, cass_dnn_find
// includes: miopen/miopen.h, string.h
// summary: What MIOpen's Find says, in cuDNN's form; an answer without a search is not there, so the first question makes one, and nothing is said to be deterministic.
// source: cuDNN developer guide, cudnnConvolutionFwdAlgoPerf_t; miopen/miopen.h of ROCm 6.4, miopenConvAlgoPerf_t
/* The results of a Find that fit a workspace, where there is one: at most `wanted`, and at least one or an error. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_fitting(miopenHandle_t handle, int direction, miopenTensorDescriptor_t aDesc, const void* a, miopenTensorDescriptor_t bDesc, const void* b, miopenConvolutionDescriptor_t convolution, miopenTensorDescriptor_t cDesc, const void* space, size_t bytes, int wanted, int* count, const miopenConvAlgoPerf_t** fitting)
{
    const cass_dnn_found* found = NULL;
    int at;
    miopenStatus_t status = cass_dnn_find(handle, direction, aDesc, a, bDesc, b, convolution, cDesc, &found);
    *count = 0;
    for (at = 0; status == miopenStatusSuccess && at < found->count && *count < wanted; ++at)
        if (!space || found->results[at].memory <= bytes)
            fitting[(*count)++] = &found->results[at];
    return status == miopenStatusSuccess && *count == 0 ? miopenStatusNotImplemented : status;
}
/* cuDNN's number of the algorithm for a preference: 0 no workspace, 1 the fastest, 2 a limit. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_preferred(miopenHandle_t handle, int direction, miopenTensorDescriptor_t a, miopenTensorDescriptor_t b, miopenConvolutionDescriptor_t convolution, miopenTensorDescriptor_t c, int preference, size_t limit, int* algorithm)
{
    const cass_dnn_found* found = NULL;
    const miopenConvAlgoPerf_t* choice = NULL;
    miopenStatus_t status = cass_dnn_find(handle, direction, a, NULL, b, NULL, convolution, c, &found);
    if (status != miopenStatusSuccess)
        return status;
    choice = cass_dnn_choice(found, direction, -1, preference == 0 ? 0 : preference == 1 ? (size_t)-1 : limit);
    *algorithm = cass_dnn_algorithm(direction, choice ? *choice : found->results[0]);
    return status;
}
typedef enum { cass_CUDNN_NON_DETERMINISTIC = 0, cass_CUDNN_DETERMINISTIC = 1 } cass_cudnnDeterminism_t;
typedef struct cass_cudnnConvolutionFwdAlgoPerfStruct {
    cass_cudnnConvolutionFwdAlgo_t algo;
    miopenStatus_t status;
    float time;
    size_t memory;
    cass_cudnnDeterminism_t determinism;
    cass_cudnnMathType_t mathType;
    int reserved[3];
} cass_cudnnConvolutionFwdAlgoPerf_t;
typedef enum { cass_CUDNN_CONVOLUTION_FWD_NO_WORKSPACE = 0, cass_CUDNN_CONVOLUTION_FWD_PREFER_FASTEST = 1, cass_CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT = 2 } cass_cudnnConvolutionFwdPreference_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionForwardAlgorithmMaxCount(miopenHandle_t handle, int* count)
{
    *count = 4;
    return handle ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnFindConvolutionForwardAlgorithmEx(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t wDesc, const void* w, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t yDesc, void* y, int wanted, int* count, cass_cudnnConvolutionFwdAlgoPerf_t* results, void* space, size_t bytes)
{
    const miopenConvAlgoPerf_t* fitting[4];
    int at;
    miopenStatus_t status = cass_dnn_fitting(handle, 0, xDesc, x, wDesc, w, convolution, yDesc, space, bytes, wanted, count, fitting);
    (void)y;
    for (at = 0; at < *count; ++at) {
        memset(&results[at], 0, sizeof(*results));
        results[at].algo = (cass_cudnnConvolutionFwdAlgo_t)cass_dnn_algorithm(0, *fitting[at]);
        results[at].status = miopenStatusSuccess;
        results[at].time = fitting[at]->time;
        results[at].memory = fitting[at]->memory;
    }
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnFindConvolutionForwardAlgorithm(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t wDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t yDesc, int wanted, int* count, cass_cudnnConvolutionFwdAlgoPerf_t* results)
{
    return cass_cudnnFindConvolutionForwardAlgorithmEx(handle, xDesc, NULL, wDesc, NULL, convolution, yDesc, NULL, wanted, count, results, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionForwardAlgorithm_v7(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t wDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t yDesc, int wanted, int* count, cass_cudnnConvolutionFwdAlgoPerf_t* results)
{
    return cass_cudnnFindConvolutionForwardAlgorithmEx(handle, xDesc, NULL, wDesc, NULL, convolution, yDesc, NULL, wanted, count, results, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionForwardAlgorithm(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t wDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t yDesc, cass_cudnnConvolutionFwdPreference_t preference, size_t limit, cass_cudnnConvolutionFwdAlgo_t* algorithm)
{
    int number = 0;
    miopenStatus_t status = cass_dnn_preferred(handle, 0, xDesc, wDesc, convolution, yDesc, (int)preference, limit, &number);
    if (status == miopenStatusSuccess)
        *algorithm = (cass_cudnnConvolutionFwdAlgo_t)number;
    return status;
}
typedef struct cass_cudnnConvolutionBwdDataAlgoPerfStruct {
    cass_cudnnConvolutionBwdDataAlgo_t algo;
    miopenStatus_t status;
    float time;
    size_t memory;
    cass_cudnnDeterminism_t determinism;
    cass_cudnnMathType_t mathType;
    int reserved[3];
} cass_cudnnConvolutionBwdDataAlgoPerf_t;
typedef enum { cass_CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE = 0, cass_CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST = 1, cass_CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT = 2 } cass_cudnnConvolutionBwdDataPreference_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardDataAlgorithmMaxCount(miopenHandle_t handle, int* count)
{
    *count = 4;
    return handle ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnFindConvolutionBackwardDataAlgorithmEx(miopenHandle_t handle, const miopenTensorDescriptor_t wDesc, const void* w, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dxDesc, void* dx, int wanted, int* count, cass_cudnnConvolutionBwdDataAlgoPerf_t* results, void* space, size_t bytes)
{
    const miopenConvAlgoPerf_t* fitting[4];
    int at;
    miopenStatus_t status = cass_dnn_fitting(handle, 1, dyDesc, dy, wDesc, w, convolution, dxDesc, space, bytes, wanted, count, fitting);
    (void)dx;
    for (at = 0; at < *count; ++at) {
        memset(&results[at], 0, sizeof(*results));
        results[at].algo = (cass_cudnnConvolutionBwdDataAlgo_t)cass_dnn_algorithm(1, *fitting[at]);
        results[at].status = miopenStatusSuccess;
        results[at].time = fitting[at]->time;
        results[at].memory = fitting[at]->memory;
    }
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnFindConvolutionBackwardDataAlgorithm(miopenHandle_t handle, const miopenTensorDescriptor_t wDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dxDesc, int wanted, int* count, cass_cudnnConvolutionBwdDataAlgoPerf_t* results)
{
    return cass_cudnnFindConvolutionBackwardDataAlgorithmEx(handle, wDesc, NULL, dyDesc, NULL, convolution, dxDesc, NULL, wanted, count, results, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardDataAlgorithm_v7(miopenHandle_t handle, const miopenTensorDescriptor_t wDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dxDesc, int wanted, int* count, cass_cudnnConvolutionBwdDataAlgoPerf_t* results)
{
    return cass_cudnnFindConvolutionBackwardDataAlgorithmEx(handle, wDesc, NULL, dyDesc, NULL, convolution, dxDesc, NULL, wanted, count, results, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardDataAlgorithm(miopenHandle_t handle, const miopenTensorDescriptor_t wDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dxDesc, cass_cudnnConvolutionBwdDataPreference_t preference, size_t limit, cass_cudnnConvolutionBwdDataAlgo_t* algorithm)
{
    int number = 0;
    miopenStatus_t status = cass_dnn_preferred(handle, 1, dyDesc, wDesc, convolution, dxDesc, (int)preference, limit, &number);
    if (status == miopenStatusSuccess)
        *algorithm = (cass_cudnnConvolutionBwdDataAlgo_t)number;
    return status;
}
typedef struct cass_cudnnConvolutionBwdFilterAlgoPerfStruct {
    cass_cudnnConvolutionBwdFilterAlgo_t algo;
    miopenStatus_t status;
    float time;
    size_t memory;
    cass_cudnnDeterminism_t determinism;
    cass_cudnnMathType_t mathType;
    int reserved[3];
} cass_cudnnConvolutionBwdFilterAlgoPerf_t;
typedef enum { cass_CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE = 0, cass_CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST = 1, cass_CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT = 2 } cass_cudnnConvolutionBwdFilterPreference_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(miopenHandle_t handle, int* count)
{
    *count = 4;
    return handle ? miopenStatusSuccess : miopenStatusBadParm;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnFindConvolutionBackwardFilterAlgorithmEx(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dwDesc, void* dw, int wanted, int* count, cass_cudnnConvolutionBwdFilterAlgoPerf_t* results, void* space, size_t bytes)
{
    const miopenConvAlgoPerf_t* fitting[4];
    int at;
    miopenStatus_t status = cass_dnn_fitting(handle, 2, dyDesc, dy, xDesc, x, convolution, dwDesc, space, bytes, wanted, count, fitting);
    (void)dw;
    for (at = 0; at < *count; ++at) {
        memset(&results[at], 0, sizeof(*results));
        results[at].algo = (cass_cudnnConvolutionBwdFilterAlgo_t)cass_dnn_algorithm(2, *fitting[at]);
        results[at].status = miopenStatusSuccess;
        results[at].time = fitting[at]->time;
        results[at].memory = fitting[at]->memory;
    }
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnFindConvolutionBackwardFilterAlgorithm(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dwDesc, int wanted, int* count, cass_cudnnConvolutionBwdFilterAlgoPerf_t* results)
{
    return cass_cudnnFindConvolutionBackwardFilterAlgorithmEx(handle, xDesc, NULL, dyDesc, NULL, convolution, dwDesc, NULL, wanted, count, results, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardFilterAlgorithm_v7(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dwDesc, int wanted, int* count, cass_cudnnConvolutionBwdFilterAlgoPerf_t* results)
{
    return cass_cudnnFindConvolutionBackwardFilterAlgorithmEx(handle, xDesc, NULL, dyDesc, NULL, convolution, dwDesc, NULL, wanted, count, results, NULL, 0);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetConvolutionBackwardFilterAlgorithm(miopenHandle_t handle, const miopenTensorDescriptor_t xDesc, const miopenTensorDescriptor_t dyDesc, const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t dwDesc, cass_cudnnConvolutionBwdFilterPreference_t preference, size_t limit, cass_cudnnConvolutionBwdFilterAlgo_t* algorithm)
{
    int number = 0;
    miopenStatus_t status = cass_dnn_preferred(handle, 2, dyDesc, xDesc, convolution, dwDesc, (int)preference, limit, &number);
    if (status == miopenStatusSuccess)
        *algorithm = (cass_cudnnConvolutionBwdFilterAlgo_t)number;
    return status;
}
