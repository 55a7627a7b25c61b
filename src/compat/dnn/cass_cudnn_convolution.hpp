// name: cass_cudnn_convolution
// provides: cass_cudnnConvolutionForward, cass_cudnnConvolutionBackwardData, cass_cudnnConvolutionBackwardFilter, cass_cudnnConvolutionBackwardBias, cass_cudnnConvolutionBiasActivationForward
// replaces: cudnnConvolutionForward, cudnnConvolutionBackwardData, cudnnConvolutionBackwardFilter, cudnnConvolutionBackwardBias, cudnnConvolutionBiasActivationForward
// requires: cass_cudnn_algorithm, cass_dnn_find, cass_dnn_scaling
// includes: miopen/miopen.h
// summary: Convolutions with cuDNN's scalings: Find comes by itself, once for each set of descriptors; a workspace that is too small is replaced.
// source: cuDNN developer guide, cudnnConvolutionForward; convolutionocl.cpp of MIOpen 6.4, which refuses scalings other than 1 and 0 in two dimensions
/* c = alpha * convolution of a and b + beta * c, with the algorithm that was found. A workspace that is too small is not used. */
CASS_DNN_INLINE miopenStatus_t cass_dnn_convolve(miopenHandle_t handle, int direction, const void* alpha, miopenTensorDescriptor_t aDesc, const void* a, miopenTensorDescriptor_t bDesc, const void* b, miopenConvolutionDescriptor_t convolution, int algorithm, void* space, size_t bytes, const void* beta, miopenTensorDescriptor_t cDesc, void* c)
{
    const float one = 1.0f, none = 0.0f;
    const cass_dnn_found* found = NULL;
    const miopenConvAlgoPerf_t* choice = NULL;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_find(handle, direction, aDesc, a, bDesc, b, convolution, cDesc, &found);
    if (status != miopenStatusSuccess)
        return status;
    choice = cass_dnn_choice(found, direction, algorithm, space ? bytes : 0);
    if (!choice) {
        choice = &found->results[0];
        bytes = choice->memory;
        status = cass_dnn_memory(handle, 1, bytes, &space);
    }
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, cDesc, beta, c, &to);
    if (status != miopenStatusSuccess)
        return status;
    if (direction == 0)
        status = miopenConvolutionForward(handle, &one, aDesc, a, bDesc, b, convolution, choice->fwd_algo, &none, cDesc, to, space, bytes);
    else if (direction == 1)
        status = miopenConvolutionBackwardData(handle, &one, aDesc, a, bDesc, b, convolution, choice->bwd_data_algo, &none, cDesc, to, space, bytes);
    else
        status = miopenConvolutionBackwardWeights(handle, &one, aDesc, a, bDesc, b, convolution, choice->bwd_weights_algo, &none, cDesc, to, space, bytes);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, cDesc, alpha, to, beta, c) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnConvolutionForward(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t wDesc, const void* w, const miopenConvolutionDescriptor_t convolution, cass_cudnnConvolutionFwdAlgo_t algorithm, void* space, size_t bytes, const void* beta, const miopenTensorDescriptor_t yDesc, void* y)
{
    return cass_dnn_convolve(handle, 0, alpha, xDesc, x, wDesc, w, convolution, (int)algorithm, space, bytes, beta, yDesc, y);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnConvolutionBackwardData(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t wDesc, const void* w, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenConvolutionDescriptor_t convolution, cass_cudnnConvolutionBwdDataAlgo_t algorithm, void* space, size_t bytes, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx)
{
    return cass_dnn_convolve(handle, 1, alpha, dyDesc, dy, wDesc, w, convolution, (int)algorithm, space, bytes, beta, dxDesc, dx);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnConvolutionBackwardFilter(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t dyDesc, const void* dy, const miopenConvolutionDescriptor_t convolution, cass_cudnnConvolutionBwdFilterAlgo_t algorithm, void* space, size_t bytes, const void* beta, const miopenTensorDescriptor_t dwDesc, void* dw)
{
    return cass_dnn_convolve(handle, 2, alpha, dyDesc, dy, xDesc, x, convolution, (int)algorithm, space, bytes, beta, dwDesc, dw);
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnConvolutionBackwardBias(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t dyDesc, const void* dy, const void* beta, const miopenTensorDescriptor_t dbDesc, void* db)
{
    const float one = 1.0f, none = 0.0f;
    void* to = NULL;
    miopenTensorDescriptor_t places = NULL, sums = NULL;
    const cass_dnn_shape of_db = cass_dnn_shape_of(dbDesc);
    miopenStatus_t status = cass_dnn_places(dyDesc, &places);
    if (status == miopenStatusSuccess && places)
        status = miopenCreateTensorDescriptor(&sums);
    if (status == miopenStatusSuccess && places)
        status = miopenSet4dTensorDescriptor(sums, of_db.type, 1, of_db.dims[1], 1, 1);
    if (status == miopenStatusSuccess)
        status = cass_dnn_begin(handle, 0, dbDesc, beta, db, &to);
    if (status == miopenStatusSuccess)
        status = miopenConvolutionBackwardBias(handle, &one, places ? places : dyDesc, dy, &none, places ? sums : dbDesc, to);
    if (places)
        (void)miopenDestroyTensorDescriptor(places);
    if (sums)
        (void)miopenDestroyTensorDescriptor(sums);
    return status == miopenStatusSuccess ? cass_dnn_finish(handle, dbDesc, alpha, to, beta, db) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnConvolutionBiasActivationForward(miopenHandle_t handle, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t wDesc, const void* w, const miopenConvolutionDescriptor_t convolution, cass_cudnnConvolutionFwdAlgo_t algorithm, void* space, size_t bytes, const void* alpha2, const miopenTensorDescriptor_t zDesc, const void* z, const miopenTensorDescriptor_t biasDesc, const void* bias, const miopenActivationDescriptor_t activation, const miopenTensorDescriptor_t yDesc, void* y)
{
    const float of_z = cass_dnn_number(yDesc, alpha2), one = 1.0f, none = 0.0f;
    const double none_of_double = 0.0;
    void* to = NULL;
    miopenStatus_t status = cass_dnn_memory(handle, 4, cass_dnn_bytes(yDesc), &to);
    /* All bits of 0.0 are zero, in float and in double. */
    if (status == miopenStatusSuccess)
        status = cass_dnn_convolve(handle, 0, alpha, xDesc, x, wDesc, w, convolution, (int)algorithm, space, bytes, &none_of_double, yDesc, to);
    if (status == miopenStatusSuccess && of_z != 0.0f)
        status = cass_dnn_combine(handle, miopenTensorOpAdd, &one, yDesc, to, &of_z, zDesc, z, &none, yDesc, to);
    if (status == miopenStatusSuccess)
        status = cass_dnn_combine(handle, miopenTensorOpAdd, &one, yDesc, to, &one, biasDesc, bias, &none, yDesc, to);
    return status == miopenStatusSuccess ? miopenActivationForward(handle, activation, &one, yDesc, to, &none, yDesc, y) : status;
}
