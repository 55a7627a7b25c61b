// name: cass_dnn_find
// provides: cass_dnn_find, cass_dnn_space, cass_dnn_algorithm, cass_dnn_choice, cass_dnn_found
// replaces: 
// requires: cass_dnn_scaling
// includes: miopen/miopen.h, stdlib.h, string.h
// summary: MIOpen's Find for convolutions, made once for each set of descriptors and kept.
// source: miopen/miopen.h of ROCm 6.4: a convolution runs after Find with the same handle and descriptors; convolutionocl.cpp, which says so
typedef struct cass_dnn_found {
    int key[60];
    miopenHandle_t handle;
    int count;
    miopenConvAlgoPerf_t results[4];
    struct cass_dnn_found* next;
} cass_dnn_found;
/* What MIOpen's solution depends on: the three tensors, the convolution and its direction (0 forward, 1 data, 2 weights). */
CASS_DNN_INLINE miopenStatus_t cass_dnn_key(int direction, miopenTensorDescriptor_t a, miopenTensorDescriptor_t b, miopenConvolutionDescriptor_t convolution, miopenTensorDescriptor_t c, int* key)
{
    miopenTensorDescriptor_t tensors[3];
    miopenDataType_t type;
    miopenConvolutionMode_t mode;
    miopenStatus_t status = miopenStatusSuccess;
    int at, spatial = 0;
    tensors[0] = a;
    tensors[1] = b;
    tensors[2] = c;
    memset(key, 0, 60 * sizeof(int));
    *key++ = direction;
    for (at = 0; at < 3 && status == miopenStatusSuccess; ++at, key += 12) {
        status = miopenGetTensorDescriptorSize(tensors[at], &key[0]);
        if (status == miopenStatusSuccess)
            status = key[0] <= 5 ? miopenGetTensorDescriptor(tensors[at], &type, key + 2, key + 7) : miopenStatusBadParm;
        if (status == miopenStatusSuccess)
            key[1] = (int)type;
    }
    if (status == miopenStatusSuccess)
        status = miopenGetConvolutionSpatialDim(convolution, &spatial);
    if (status == miopenStatusSuccess && spatial > 3)
        status = miopenStatusBadParm;
    if (status == miopenStatusSuccess)
        status = miopenGetConvolutionNdDescriptor(convolution, spatial, &key[0], key + 1, key + 4, key + 7, &mode);
    if (status == miopenStatusSuccess)
        status = miopenGetConvolutionGroupCount(convolution, &key[10]);
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_dnn_space(miopenHandle_t handle, int direction, miopenTensorDescriptor_t a, miopenTensorDescriptor_t b, miopenConvolutionDescriptor_t convolution, miopenTensorDescriptor_t c, size_t* bytes)
{
    *bytes = 0;
    if (direction == 0)
        return miopenConvolutionForwardGetWorkSpaceSize(handle, b, a, convolution, c, bytes);
    if (direction == 1)
        return miopenConvolutionBackwardDataGetWorkSpaceSize(handle, a, b, convolution, c, bytes);
    return miopenConvolutionBackwardWeightsGetWorkSpaceSize(handle, a, b, convolution, c, bytes);
}
/* MIOpen's Find, once for a handle and descriptors that say the same. It writes to memory of its own, so that results stay; without
   data it measures on what that memory holds. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_find(miopenHandle_t handle, int direction, miopenTensorDescriptor_t aDesc, const void* a, miopenTensorDescriptor_t bDesc, const void* b, miopenConvolutionDescriptor_t convolution, miopenTensorDescriptor_t cDesc, const cass_dnn_found** result)
{
    static cass_dnn_found* known = NULL;
    static bool locked = false;
    cass_dnn_found *found, wanted;
    size_t bytes = 0;
    void *space = NULL, *c = NULL, *forA = NULL, *forB = NULL;
    miopenStatus_t status = cass_dnn_key(direction, aDesc, bDesc, convolution, cDesc, wanted.key);
    *result = NULL;
    if (status != miopenStatusSuccess)
        return status;
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {}
    for (found = known; found; found = found->next)
        if (found->handle == handle && memcmp(found->key, wanted.key, sizeof(wanted.key)) == 0)
            break;
    __atomic_clear(&locked, __ATOMIC_RELEASE);
    *result = found;
    if (found)
        return miopenStatusSuccess;
    status = cass_dnn_space(handle, direction, aDesc, bDesc, convolution, cDesc, &bytes);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 1, bytes, &space);
    if (status == miopenStatusSuccess)
        status = cass_dnn_memory(handle, 0, cass_dnn_bytes(cDesc), &c);
    if (status == miopenStatusSuccess && !a)
        status = cass_dnn_memory(handle, 2, cass_dnn_bytes(aDesc), &forA);
    if (status == miopenStatusSuccess && !b)
        status = cass_dnn_memory(handle, 3, cass_dnn_bytes(bDesc), &forB);
    if (status != miopenStatusSuccess)
        return status;
    found = (cass_dnn_found*)calloc(1, sizeof(*found));
    if (!found)
        return miopenStatusAllocFailed;
    memcpy(found->key, wanted.key, sizeof(wanted.key));
    found->handle = handle;
    a = a ? a : forA;
    b = b ? b : forB;
    if (direction == 0)
        status = miopenFindConvolutionForwardAlgorithm(handle, aDesc, a, bDesc, b, convolution, cDesc, c, 4, &found->count, found->results, space, bytes, false);
    else if (direction == 1)
        status = miopenFindConvolutionBackwardDataAlgorithm(handle, aDesc, a, bDesc, b, convolution, cDesc, c, 4, &found->count, found->results, space, bytes, false);
    else
        status = miopenFindConvolutionBackwardWeightsAlgorithm(handle, aDesc, a, bDesc, b, convolution, cDesc, c, 4, &found->count, found->results, space, bytes, false);
    if (status == miopenStatusSuccess && found->count < 1)
        status = miopenStatusNotImplemented;
    if (status != miopenStatusSuccess) {
        free(found);
        return status;
    }
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {}
    found->next = known;
    known = found;
    __atomic_clear(&locked, __ATOMIC_RELEASE);
    *result = found;
    return status;
}
/* cuDNN's number of an algorithm of MIOpen. */
CASS_DNN_INLINE int cass_dnn_algorithm(int direction, miopenConvAlgoPerf_t result)
{
    static const int numbers[3][6] = {{2, 3, 4, 6, 0, 0}, {0, 1, 2, 4, 0, 1}, {0, 1, 2, 5, 0, 1}};
    const int at = direction == 0 ? (int)result.fwd_algo : direction == 1 ? (int)result.bwd_data_algo : (int)result.bwd_weights_algo;
    return at >= 0 && at < 6 ? numbers[direction][at] : 0;
}
/* The result for an algorithm that was asked for, if it fits the workspace; else the fastest that fits; NULL if none does. */
CASS_DNN_INLINE const miopenConvAlgoPerf_t* cass_dnn_choice(const cass_dnn_found* found, int direction, int algorithm, size_t bytes)
{
    const miopenConvAlgoPerf_t* fastest = NULL;
    int at;
    for (at = found->count - 1; at >= 0; --at)
        if (found->results[at].memory <= bytes)
            fastest = &found->results[at];
    for (at = 0; at < found->count; ++at)
        if (found->results[at].memory <= bytes && cass_dnn_algorithm(direction, found->results[at]) == algorithm)
            return &found->results[at];
    return fastest;
}
