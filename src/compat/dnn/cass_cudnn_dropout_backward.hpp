// name: cass_cudnn_dropout_backward
// provides: cass_dnn_drop, cass_cudnnDropoutBackward
// replaces: cudnnDropoutBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Dropout of tensors in either format: those whose channels lie last are given as one row; from one format into another is refused.
// source: cuDNN developer guide, cudnnDropoutBackward; dropoutocl.cpp of MIOpen 6.4, which gives its kernel no stride of the last direction
CASS_DNN_INLINE miopenStatus_t cass_dnn_drop(miopenHandle_t handle, const miopenDropoutDescriptor_t dropout, bool backward, const miopenTensorDescriptor_t fromDesc, const void* from, const miopenTensorDescriptor_t toDesc, void* to, void* reserve, size_t reserved)
{
    miopenTensorDescriptor_t rows[2] = {NULL, NULL};
    miopenStatus_t status = cass_dnn_alike(fromDesc, toDesc);
    if (status == miopenStatusSuccess)
        status = cass_dnn_as_row(fromDesc, &rows[0]);
    if (status == miopenStatusSuccess)
        status = cass_dnn_as_row(toDesc, &rows[1]);
    if (status == miopenStatusSuccess && !rows[0] != !rows[1])
        status = miopenStatusNotImplemented;
    if (status == miopenStatusSuccess) {
        const miopenTensorDescriptor_t source = rows[0] ? rows[0] : fromDesc, target = rows[1] ? rows[1] : toDesc;
        status = backward ? miopenDropoutBackward(handle, dropout, source, source, from, target, to, reserve, reserved)
                          : miopenDropoutForward(handle, dropout, source, source, from, target, to, reserve, reserved);
    }
    if (rows[0])
        (void)miopenDestroyTensorDescriptor(rows[0]);
    if (rows[1])
        (void)miopenDestroyTensorDescriptor(rows[1]);
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnDropoutBackward(miopenHandle_t handle, const miopenDropoutDescriptor_t dropout, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenTensorDescriptor_t dxDesc, void* dx, void* reserve, size_t reserved)
{
    return cass_dnn_drop(handle, dropout, true, dyDesc, dy, dxDesc, dx, reserve, reserved);
}
