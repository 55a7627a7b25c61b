// name: cass_cudnn_op_tensor
// provides: cass_cudnnOpTensorStruct, cass_cudnnOpTensorDescriptor_t, cass_cudnnCreateOpTensorDescriptor, cass_cudnnSetOpTensorDescriptor, cass_cudnnGetOpTensorDescriptor, cass_cudnnDestroyOpTensorDescriptor, cass_cudnnOpTensor, cass_cudnnAddTensor
// replaces: cudnnOpTensorStruct, cudnnOpTensorDescriptor_t, cudnnCreateOpTensorDescriptor, cudnnSetOpTensorDescriptor, cudnnGetOpTensorDescriptor, cudnnDestroyOpTensorDescriptor, cudnnOpTensor, cudnnAddTensor
// requires: cass_dnn_scaling
// includes: miopen/miopen.h, stdlib.h
// summary: Sums, products, minima and maxima of tensors with a descriptor as cuDNN has it; MIOpen computes in the type of the tensors.
// source: cuDNN developer guide, cudnnOpTensor and cudnnAddTensor; miopen/miopen.h of ROCm 6.4, miopenOpTensor: the second operand is the one that broadcasts
typedef struct cass_cudnnOpTensorStruct {
    miopenTensorOp_t op;
    miopenDataType_t type;
    miopenNanPropagation_t nan;
}* cass_cudnnOpTensorDescriptor_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnCreateOpTensorDescriptor(cass_cudnnOpTensorDescriptor_t* operation)
{
    *operation = (cass_cudnnOpTensorDescriptor_t)calloc(1, sizeof(**operation));
    return *operation ? miopenStatusSuccess : miopenStatusAllocFailed;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetOpTensorDescriptor(cass_cudnnOpTensorDescriptor_t operation, miopenTensorOp_t op, miopenDataType_t type, miopenNanPropagation_t nan)
{
    operation->op = op;
    operation->type = type;
    operation->nan = nan;
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetOpTensorDescriptor(cass_cudnnOpTensorDescriptor_t operation, miopenTensorOp_t* op, miopenDataType_t* type, miopenNanPropagation_t* nan)
{
    *op = operation->op;
    *type = operation->type;
    *nan = operation->nan;
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnDestroyOpTensorDescriptor(cass_cudnnOpTensorDescriptor_t operation)
{
    free(operation);
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnOpTensor(miopenHandle_t handle, const cass_cudnnOpTensorDescriptor_t operation, const void* alpha1, const miopenTensorDescriptor_t aDesc, const void* a, const void* alpha2, const miopenTensorDescriptor_t bDesc, const void* b, const void* beta, const miopenTensorDescriptor_t cDesc, void* c)
{
    const float one = cass_dnn_number(aDesc, alpha1), other = cass_dnn_number(bDesc, alpha2), old = cass_dnn_number(cDesc, beta);
    return cass_dnn_combine(handle, operation->op, &one, aDesc, a, &other, bDesc, b, &old, cDesc, c);
}
/* c = alpha * a + beta * c, where a has the shape of c or 1 in some directions. */
CASS_DNN_INLINE miopenStatus_t cass_cudnnAddTensor(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t aDesc, const void* a, const void* beta, const miopenTensorDescriptor_t cDesc, void* c)
{
    const float by = cass_dnn_number(aDesc, alpha), old = cass_dnn_number(cDesc, beta), none = 0.0f;
    miopenStatus_t status = old == 0.0f ? miopenSetTensor(handle, cDesc, c, &none) : miopenStatusSuccess;
    return status == miopenStatusSuccess ? cass_dnn_combine(handle, miopenTensorOpAdd, &old, cDesc, c, &by, aDesc, a, &none, cDesc, c) : status;
}
