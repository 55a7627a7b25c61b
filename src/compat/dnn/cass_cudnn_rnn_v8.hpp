// name: cass_cudnn_rnn_v8
// provides: cass_cudnnSetRNNDescriptor_v8, cass_cudnnGetRNNWeightSpaceSize, cass_cudnnGetRNNWeightParams, cass_cudnnRNNForward, cass_cudnnRNNBackwardData_v8, cass_cudnnRNNBackwardWeights_v8, cass_cudnnWgradMode_t, cass_CUDNN_WGRAD_MODE_ADD, cass_CUDNN_WGRAD_MODE_SET
// replaces: cudnnSetRNNDescriptor_v8, cudnnGetRNNWeightSpaceSize, cudnnGetRNNWeightParams, cudnnRNNForward, cudnnRNNBackwardData_v8, cudnnRNNBackwardWeights_v8, cudnnWgradMode_t, CUDNN_WGRAD_MODE_ADD, CUDNN_WGRAD_MODE_SET
// requires: cass_dnn_scaling, cass_dnn_sequences, cass_cudnn_math_type, cass_cudnn_rnn_params
// includes: miopen/miopen.h, stdlib.h
// summary: The recurrent networks of cuDNN 8, with the width of their input in the descriptor and the lengths of sequences from the descriptors of the data.
// limit: The array of lengths on the device is not read: cudnnSetRNNDataDescriptor has them. A projection is refused (miopenStatusNotImplemented). The gradients of the parameters need the workspace as cudnnRNNBackwardData_v8 left it. Parameters lie in MIOpen's order: read and write them by cudnnGetRNNWeightParams.
// source: cuDNN developer guide, cudnnSetRNNDescriptor_v8, cudnnRNNForward: the lengths on the device are those of the descriptor, and from 8.9.1 on not read either; miopen/miopen.h of ROCm 6.4
typedef enum { cass_CUDNN_WGRAD_MODE_ADD = 0, cass_CUDNN_WGRAD_MODE_SET = 1 } cass_cudnnWgradMode_t;
typedef struct cass_dnn_input {
    miopenRNNDescriptor_t network;
    int width;
    struct cass_dnn_input* next;
} cass_dnn_input;
/* The width of a network's input, which MIOpen's descriptor has not; one that is not 0 is kept. */
CASS_DNN_INLINE int cass_dnn_width(miopenRNNDescriptor_t network, int width)
{
    static cass_dnn_input* known = NULL;
    static bool locked = false;
    cass_dnn_input* found;
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {}
    for (found = known; found; found = found->next)
        if (found->network == network)
            break;
    if (!found && width && (found = (cass_dnn_input*)calloc(1, sizeof(*found)))) {
        found->network = network;
        found->next = known;
        known = found;
    }
    if (found && width)
        found->width = width;
    width = found ? found->width : 0;
    __atomic_clear(&locked, __ATOMIC_RELEASE);
    return width;
}
/* The descriptor of one row of a network's input. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_row(miopenRNNDescriptor_t network, miopenTensorDescriptor_t* row, miopenDataType_t* type)
{
    int dims[2] = {1, 0}, strides[2] = {0, 1};
    miopenStatus_t status = miopenGetRNNDescriptor_V2(network, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, type);
    *row = NULL;
    dims[1] = strides[0] = cass_dnn_width(network, 0);
    if (status == miopenStatusSuccess && !dims[1])
        status = miopenStatusNotInitialized;
    if (status == miopenStatusSuccess)
        status = miopenCreateTensorDescriptor(row);
    return status == miopenStatusSuccess ? miopenSetTensorDescriptor(*row, *type, 2, dims, strides) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetRNNDescriptor_v8(miopenRNNDescriptor_t network, miopenRNNAlgo_t algorithm, miopenRNNMode_t cell, miopenRNNBiasMode_t bias, miopenRNNDirectionMode_t direction, miopenRNNInputMode_t input, miopenDataType_t type, miopenDataType_t precision, cass_cudnnMathType_t math, int width, int hidden, int projection, int layers, miopenDropoutDescriptor_t dropout, unsigned flags)
{
    miopenStatus_t status = width > 0 ? miopenStatusSuccess : miopenStatusBadParm;
    (void)precision;
    (void)math;
    if (projection != 0 && projection != hidden)
        return miopenStatusNotImplemented;
    if (status == miopenStatusSuccess)
        status = miopenSetRNNDescriptor_V2(network, hidden, layers, dropout, input, direction, cell, bias, algorithm, type);
    if (status == miopenStatusSuccess && !cass_dnn_width(network, width))
        status = miopenStatusAllocFailed;
    return status == miopenStatusSuccess ? miopenSetRNNPaddingMode(network, flags & 1u ? miopenRNNIOWithPadding : miopenRNNIONotPadded) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetRNNWeightSpaceSize(miopenHandle_t handle, miopenRNNDescriptor_t network, size_t* bytes)
{
    miopenTensorDescriptor_t row = NULL;
    miopenDataType_t type = miopenFloat;
    miopenStatus_t status = cass_dnn_row(network, &row, &type);
    if (status == miopenStatusSuccess)
        status = miopenGetRNNParamsSize(handle, network, row, bytes, type);
    if (row)
        (void)miopenDestroyTensorDescriptor(row);
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnGetRNNWeightParams(miopenHandle_t handle, miopenRNNDescriptor_t network, int layer, size_t bytes, const void* w, int gate, miopenTensorDescriptor_t matrixDesc, void** matrix, miopenTensorDescriptor_t biasDesc, void** bias)
{
    miopenTensorDescriptor_t row = NULL;
    miopenDataType_t type = miopenFloat;
    miopenRNNInputMode_t input = miopenRNNlinear;
    miopenRNNDirectionMode_t direction = miopenRNNunidirection;
    miopenRNNMode_t cell = miopenRNNRELU;
    miopenRNNBiasMode_t biases = miopenRNNwithBias;
    miopenStatus_t status = cass_dnn_row(network, &row, &type);
    int gates, has_matrix;
    (void)handle;
    (void)bytes;
    *matrix = NULL;
    *bias = NULL;
    if (status == miopenStatusSuccess)
        status = miopenGetRNNDescriptor_V2(network, NULL, NULL, NULL, &input, &direction, &cell, &biases, NULL, NULL);
    gates = cell == miopenLSTM ? 4 : cell == miopenGRU ? 3 : 1;
    has_matrix = input != miopenRNNskip || layer > (direction == miopenRNNbidirection) || gate >= gates;
    if (status == miopenStatusSuccess && has_matrix)
        status = cass_dnn_params(miopenGetRNNLayerParamOffset, network, layer, row, w, gate, matrixDesc, matrix);
    if (status == miopenStatusSuccess && biases == miopenRNNwithBias)
        status = cass_dnn_params(miopenGetRNNLayerBiasOffset, network, layer, row, w, gate, biasDesc, bias);
    if (row)
        (void)miopenDestroyTensorDescriptor(row);
    return status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNForward(miopenHandle_t handle, miopenRNNDescriptor_t network, miopenRNNFWDMode_t mode, const int* lengths, miopenSeqTensorDescriptor_t xDesc, const void* x, miopenSeqTensorDescriptor_t yDesc, void* y, miopenTensorDescriptor_t hDesc, const void* hx, void* hy, miopenTensorDescriptor_t cDesc, const void* cx, void* cy, size_t weights, const void* w, size_t bytes, void* space, size_t reserved, void* reserve)
{
    (void)lengths;
    return cass_dnn_forward_sequences(handle, network, mode, xDesc, x, yDesc, y, hDesc, hx, hy, cDesc, cx, cy, w, weights, space, bytes, reserve, reserved);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNBackwardData_v8(miopenHandle_t handle, miopenRNNDescriptor_t network, const int* lengths, miopenSeqTensorDescriptor_t yDesc, const void* y, const void* dy, miopenSeqTensorDescriptor_t xDesc, void* dx, miopenTensorDescriptor_t hDesc, const void* hx, const void* dhy, void* dhx, miopenTensorDescriptor_t cDesc, const void* cx, const void* dcy, void* dcx, size_t weights, const void* w, size_t bytes, void* space, size_t reserved, void* reserve)
{
    (void)lengths;
    return cass_dnn_back_sequences(handle, network, yDesc, y, dy, xDesc, dx, hDesc, hx, dhy, dhx, cDesc, cx, dcy, dcx, w, weights, space, bytes, reserve, reserved);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnRNNBackwardWeights_v8(miopenHandle_t handle, miopenRNNDescriptor_t network, cass_cudnnWgradMode_t mode, const int* lengths, miopenSeqTensorDescriptor_t xDesc, const void* x, miopenTensorDescriptor_t hDesc, const void* hx, miopenSeqTensorDescriptor_t yDesc, const void* y, size_t weights, void* dw, size_t bytes, void* space, size_t reserved, void* reserve)
{
    (void)lengths;
    return cass_dnn_weights_sequences(handle, network, mode == cass_CUDNN_WGRAD_MODE_ADD, xDesc, x, hDesc, hx, yDesc, y, dw, weights, space, bytes, reserve, reserved);
}
