// name: cass_dnn_scaling
// provides: CASS_DNN_INLINE, cass_dnn_number, cass_dnn_bytes, cass_dnn_memory, cass_dnn_begin, cass_dnn_finish
// replaces:
// includes: miopen/miopen.h, stdlib.h
// summary: cuDNN's scalings for operations of MIOpen that take 1 and 0 alone: the result goes to memory of its own and is added to what was there.
// source: cuDNN developer guide, scaling parameters; MIOpen 6.4, which reads every scaling as float (tensorocl.cpp) and refuses others than 1 and 0 or ignores them (LRN)
#ifdef __cplusplus
#define CASS_DNN_INLINE inline
#else
#define CASS_DNN_INLINE static inline
#endif
/* A scaling: cuDNN has double for tensors of double and float for all others. */
CASS_DNN_INLINE float cass_dnn_number(miopenTensorDescriptor_t tensor, const void* value)
{
    int size = 0, dims[8], strides[8];
    miopenDataType_t type = miopenFloat;
    if (miopenGetTensorDescriptorSize(tensor, &size) == miopenStatusSuccess && size <= 8)
        miopenGetTensorDescriptor(tensor, &type, dims, strides);
    return type == miopenDouble ? (float)*(const double*)value : *(const float*)value;
}
CASS_DNN_INLINE size_t cass_dnn_bytes(miopenTensorDescriptor_t tensor)
{
    size_t bytes = 0;
    miopenGetTensorNumBytes(tensor, &bytes);
    return bytes;
}
typedef struct cass_dnn_place {
    miopenHandle_t handle;
    hipStream_t stream;
    int device, slot;
    void* memory;
    size_t bytes;
    struct cass_dnn_place* next;
} cass_dnn_place;
/* Memory that the operations of one stream share, one after the other; it grows and stays. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_memory(miopenHandle_t handle, int slot, size_t bytes, void** memory)
{
    static cass_dnn_place* places = NULL;
    static bool locked = false;
    hipStream_t stream = NULL;
    int device = 0;
    cass_dnn_place* place;
    miopenStatus_t status = miopenGetStream(handle, &stream);
    *memory = NULL;
    if (status != miopenStatusSuccess || bytes == 0)
        return status;
    if (hipGetDevice(&device) != hipSuccess)
        return miopenStatusInternalError;
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {}
    for (place = places; place; place = place->next)
        if (place->handle == handle && place->stream == stream && place->device == device && place->slot == slot)
            break;
    if (!place && (place = (cass_dnn_place*)calloc(1, sizeof(*place)))) {
        place->handle = handle;
        place->stream = stream;
        place->device = device;
        place->slot = slot;
        place->next = places;
        places = place;
    }
    if (place && place->bytes < bytes) {
        if (place->memory)
            (void)hipFree(place->memory);
        place->bytes = hipMalloc((void**)&place->memory, bytes) == hipSuccess ? bytes : 0;
        if (!place->bytes)
            place->memory = NULL;
    }
    *memory = place ? place->memory : NULL;
    __atomic_clear(&locked, __ATOMIC_RELEASE);
    return *memory ? miopenStatusSuccess : miopenStatusAllocFailed;
}
/* Where an operation writes: what is there stays until it has been added. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_begin(miopenHandle_t handle, int slot, miopenTensorDescriptor_t tensor, const void* beta, void* result, void** to)
{
    *to = result;
    return cass_dnn_number(tensor, beta) == 0.0f ? miopenStatusSuccess : cass_dnn_memory(handle, slot, cass_dnn_bytes(tensor), to);
}
/* result = alpha * to + beta * result, where `to` is what cass_dnn_begin said. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_finish(miopenHandle_t handle, miopenTensorDescriptor_t tensor, const void* alpha, void* to, const void* beta, void* result)
{
    const float by = cass_dnn_number(tensor, alpha), old = cass_dnn_number(tensor, beta), none = 0.0f;
    if (to == result)
        return by == 1.0f ? miopenStatusSuccess : miopenScaleTensor(handle, tensor, result, &by);
    return miopenOpTensor(handle, miopenTensorOpAdd, &old, tensor, result, &by, tensor, to, &none, tensor, result);
}
