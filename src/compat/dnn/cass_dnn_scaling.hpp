// name: cass_dnn_scaling
// provides: CASS_DNN_INLINE, cass_dnn_number, cass_dnn_bytes, cass_dnn_memory, cass_dnn_shape, cass_dnn_shape_of, cass_dnn_made, cass_dnn_reads, cass_dnn_plain, cass_dnn_alike, cass_dnn_as_row, cass_dnn_combine, cass_dnn_places, cass_dnn_begin, cass_dnn_finish
// replaces:
// includes: miopen/miopen.h, stdlib.h
// summary: cuDNN's scalings for operations of MIOpen that take 1 and 0 alone: the result goes to memory of its own and is added to what was there.
// source: cuDNN developer guide, scaling parameters; MIOpen 6.4, which reads every scaling as float (tensorocl.cpp) and refuses others than 1 and 0 or ignores them (LRN), and takes the last of three to five directions as without gaps (OpTensor4d; ROCm/MIOpen#2860)
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
/* What a descriptor says; size is 0 where it cannot be read. */
typedef struct cass_dnn_shape {
    miopenDataType_t type;
    int size, dims[8], strides[8];
} cass_dnn_shape;
CASS_DNN_INLINE cass_dnn_shape cass_dnn_shape_of(miopenTensorDescriptor_t tensor)
{
    cass_dnn_shape shape = {miopenFloat, 0, {0}, {0}};
    int size = 0;
    if (miopenGetTensorDescriptorSize(tensor, &size) == miopenStatusSuccess && size <= 8 && miopenGetTensorDescriptor(tensor, &shape.type, shape.dims, shape.strides) == miopenStatusSuccess)
        shape.size = size;
    return shape;
}
/* A descriptor of a shape with its directions in some order. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_made(miopenTensorDescriptor_t* tensor, const cass_dnn_shape* shape, const int* order)
{
    int dims[8], strides[8], at;
    miopenStatus_t status = miopenCreateTensorDescriptor(tensor);
    for (at = 0; at < shape->size; ++at) {
        dims[at] = shape->dims[order[at]];
        strides[at] = shape->strides[order[at]];
    }
    return status == miopenStatusSuccess ? miopenSetTensorDescriptor(*tensor, shape->type, shape->size, dims, strides) : status;
}
/* Whether MIOpen finds each element of a shape in that order: wide strides first, the last direction without gaps. */
CASS_DNN_INLINE bool cass_dnn_reads(const cass_dnn_shape* shape, const int* order)
{
    int at, inner = 1;
    for (at = shape->size - 1; at >= 0; --at) {
        if (shape->dims[order[at]] == 1)
            continue;
        if (at == shape->size - 1 ? shape->strides[order[at]] != 1 : shape->strides[order[at]] < inner)
            return false;
        inner = shape->strides[order[at]] * shape->dims[order[at]];
    }
    return true;
}
/* Whether MIOpen finds each element of a tensor that it takes as NCHW. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_plain(miopenTensorDescriptor_t tensor)
{
    static const int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const cass_dnn_shape shape = cass_dnn_shape_of(tensor);
    return cass_dnn_reads(&shape, order) ? miopenStatusSuccess : miopenStatusNotImplemented;
}
/* Whether two tensors of one shape lie in the same order: kernels for single elements read those without gaps one after the other, in whatever order. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_alike(miopenTensorDescriptor_t a, miopenTensorDescriptor_t b)
{
    const cass_dnn_shape of_a = cass_dnn_shape_of(a), of_b = cass_dnn_shape_of(b);
    int at, other;
    for (at = 0; of_a.size == of_b.size && at < of_a.size; ++at)
        for (other = at + 1; other < of_a.size; ++other)
            if (of_a.dims[at] > 1 && of_a.dims[other] > 1 && (of_a.strides[at] > of_a.strides[other]) != (of_b.strides[at] > of_b.strides[other]))
                return miopenStatusNotImplemented;
    return miopenStatusSuccess;
}
/* A tensor whose channels lie last as one row, for kernels that take the last direction as without gaps; NULL for one that they read as it is. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_as_row(miopenTensorDescriptor_t tensor, miopenTensorDescriptor_t* row)
{
    const cass_dnn_shape shape = cass_dnn_shape_of(tensor);
    int at, count = 1, last = 0;
    miopenStatus_t status = miopenStatusSuccess;
    *row = NULL;
    if (cass_dnn_plain(tensor) == miopenStatusSuccess)
        return status;
    for (at = 0; at < shape.size; ++at) {
        count *= shape.dims[at];
        last += (shape.dims[at] - 1) * shape.strides[at];
    }
    status = last + 1 == count ? miopenCreateTensorDescriptor(row) : miopenStatusNotImplemented;
    return status == miopenStatusSuccess ? miopenSet4dTensorDescriptor(*row, shape.type, 1, 1, 1, count) : status;
}
/* miopenOpTensor for tensors in any one format. It takes those of three to five directions as NCHW, so that they are given in the order in which c lies in memory; operands that lie otherwise are refused. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_combine(miopenHandle_t handle, miopenTensorOp_t op, const float* alpha1, miopenTensorDescriptor_t aDesc, const void* a, const float* alpha2, miopenTensorDescriptor_t bDesc, const void* b, const float* beta, miopenTensorDescriptor_t cDesc, void* c)
{
    const cass_dnn_shape of_a = cass_dnn_shape_of(aDesc), of_b = cass_dnn_shape_of(bDesc), of_c = cass_dnn_shape_of(cDesc);
    miopenTensorDescriptor_t made[3] = {NULL, NULL, NULL};
    miopenStatus_t status = miopenStatusSuccess;
    int order[8], at, to;
    bool is_plain = true;
    if (of_c.size < 3 || of_c.size > 5 || of_a.size != of_c.size || of_b.size != of_c.size)
        return miopenOpTensor(handle, op, alpha1, aDesc, a, alpha2, bDesc, b, beta, cDesc, c);
    for (at = 0; at < of_c.size; ++at) {
        for (to = at; to > 0 && of_c.strides[order[to - 1]] < of_c.strides[at]; --to)
            order[to] = order[to - 1];
        order[to] = at;
        is_plain = is_plain && to == at;
    }
    if (!cass_dnn_reads(&of_a, order) || !cass_dnn_reads(&of_b, order) || !cass_dnn_reads(&of_c, order))
        return miopenStatusNotImplemented;
    if (is_plain)
        return miopenOpTensor(handle, op, alpha1, aDesc, a, alpha2, bDesc, b, beta, cDesc, c);
    status = cass_dnn_made(&made[0], &of_a, order);
    if (status == miopenStatusSuccess)
        status = cass_dnn_made(&made[1], &of_b, order);
    if (status == miopenStatusSuccess)
        status = cass_dnn_made(&made[2], &of_c, order);
    if (status == miopenStatusSuccess)
        status = miopenOpTensor(handle, op, alpha1, made[0], a, alpha2, made[1], b, beta, made[2], c);
    for (at = 0; at < 3; ++at)
        if (made[at])
            (void)miopenDestroyTensorDescriptor(made[at]);
    return status;
}
/* A tensor whose channels lie last as one of places and channels alone: MIOpen takes the places of a channel as one after the other. NULL for a tensor that is read as it is. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_places(miopenTensorDescriptor_t tensor, miopenTensorDescriptor_t* places)
{
    const cass_dnn_shape shape = cass_dnn_shape_of(tensor);
    int at, plain = 1, last = shape.size > 1 ? shape.dims[1] : 1, images = 1;
    bool is_plain = shape.size > 0, is_last = shape.size > 2 && shape.strides[1] == 1;
    *places = NULL;
    for (at = shape.size - 1; at > 1; --at) {
        is_plain = is_plain && (shape.dims[at] == 1 || shape.strides[at] == plain);
        is_last = is_last && (shape.dims[at] == 1 || shape.strides[at] == last);
        plain *= shape.dims[at];
        last *= shape.dims[at];
        images *= shape.dims[at];
    }
    if (is_plain)
        return miopenStatusSuccess;
    if (!is_last || (shape.dims[0] != 1 && shape.strides[0] != last))
        return miopenStatusNotImplemented;
    at = miopenCreateTensorDescriptor(places);
    return at == miopenStatusSuccess ? miopenSet4dTensorDescriptor(*places, shape.type, images * shape.dims[0], shape.dims[1], 1, 1) : (miopenStatus_t)at;
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
    return cass_dnn_combine(handle, miopenTensorOpAdd, &old, tensor, result, &by, tensor, to, &none, tensor, result);
}
