// name: cass_cudnn_tensor
// provides: cass_cudnnSetTensor4dDescriptor, cass_cudnnSetTensorNdDescriptorEx, cass_cudnnGetTensorNdDescriptor, cass_cudnnSetFilter4dDescriptor, cass_cudnnSetFilterNdDescriptor, cass_cudnnGetFilter4dDescriptor, cass_cudnnGetFilterNdDescriptor
// replaces: cudnnSetTensor4dDescriptor, cudnnSetTensorNdDescriptorEx, cudnnGetTensorNdDescriptor, cudnnSetFilter4dDescriptor, cudnnSetFilterNdDescriptor, cudnnGetFilter4dDescriptor, cudnnGetFilterNdDescriptor
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Descriptors of tensors and filters with the format that they are given; vectors of channels stay a matter of MIOpen's.
// source: cuDNN developer guide, cudnnTensorFormat_t; miopen/miopen.h of ROCm 6.4, miopenSetNdTensorDescriptorWithLayout (sizes are N, C, ... for each layout)
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetTensorNdDescriptorEx(miopenTensorDescriptor_t tensor, miopenTensorLayout_t format, miopenDataType_t type, int size, const int* dims)
{
    const bool channels_last = format == miopenTensorNHWC || format == miopenTensorNDHWC;
    int strides[8], stride = 1, at;
    if (size < 1 || size > 8)
        return miopenStatusBadParm;
    if (format != miopenTensorNCHW && format != miopenTensorNCDHW && !channels_last)
        return miopenSetNdTensorDescriptorWithLayout(tensor, type, format, dims, size);
    if (channels_last && (size == 4 || size == 5))
        return miopenSetNdTensorDescriptorWithLayout(tensor, type, size == 4 ? miopenTensorNHWC : miopenTensorNDHWC, dims, size);
    if (channels_last && size > 2) {
        strides[1] = 1;
        stride = dims[1];
    }
    for (at = size - 1; at >= 0; --at) {
        if (channels_last && size > 2 && at == 1)
            continue;
        strides[at] = stride;
        stride *= dims[at];
    }
    return miopenSetTensorDescriptor(tensor, type, size, dims, strides);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetTensor4dDescriptor(miopenTensorDescriptor_t tensor, miopenTensorLayout_t format, miopenDataType_t type, int n, int c, int h, int w)
{
    const int dims[4] = {n, c, h, w};
    return format == miopenTensorNCHW ? miopenSet4dTensorDescriptor(tensor, type, n, c, h, w) : cass_cudnnSetTensorNdDescriptorEx(tensor, format, type, 4, dims);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetFilterNdDescriptor(miopenTensorDescriptor_t filter, miopenDataType_t type, miopenTensorLayout_t format, int size, const int* dims)
{
    return cass_cudnnSetTensorNdDescriptorEx(filter, format, type, size, dims);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetFilter4dDescriptor(miopenTensorDescriptor_t filter, miopenDataType_t type, miopenTensorLayout_t format, int k, int c, int h, int w)
{
    return cass_cudnnSetTensor4dDescriptor(filter, format, type, k, c, h, w);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetTensorNdDescriptor(miopenTensorDescriptor_t tensor, int wanted, miopenDataType_t* type, int* size, int* dims, int* strides)
{
    int found = 0, at, all[2][8];
    miopenStatus_t status = miopenGetTensorDescriptorSize(tensor, &found);
    if (status == miopenStatusSuccess && found > 8)
        status = miopenStatusBadParm;
    if (status == miopenStatusSuccess)
        status = miopenGetTensorDescriptor(tensor, type, all[0], all[1]);
    if (status != miopenStatusSuccess)
        return status;
    *size = found;
    for (at = 0; at < found && at < wanted; ++at) {
        if (dims)
            dims[at] = all[0][at];
        if (strides)
            strides[at] = all[1][at];
    }
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetFilterNdDescriptor(miopenTensorDescriptor_t filter, int wanted, miopenDataType_t* type, miopenTensorLayout_t* format, int* size, int* dims)
{
    int all[2][8];
    miopenStatus_t status = cass_cudnnGetTensorNdDescriptor(filter, 8, type, size, all[0], all[1]);
    int at;
    if (status != miopenStatusSuccess)
        return status;
    *format = *size > 2 && all[0][1] > 1 && all[1][1] == 1 ? miopenTensorNHWC : miopenTensorNCHW;
    for (at = 0; at < *size && at < wanted; ++at)
        dims[at] = all[0][at];
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetFilter4dDescriptor(miopenTensorDescriptor_t filter, miopenDataType_t* type, miopenTensorLayout_t* format, int* k, int* c, int* h, int* w)
{
    int size = 0, dims[8] = {0};
    miopenStatus_t status = cass_cudnnGetFilterNdDescriptor(filter, 8, type, format, &size, dims);
    if (status != miopenStatusSuccess || size != 4)
        return status != miopenStatusSuccess ? status : miopenStatusBadParm;
    *k = dims[0];
    *c = dims[1];
    *h = dims[2];
    *w = dims[3];
    return status;
}
