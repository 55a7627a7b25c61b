// name: cass_cudnn_dropout
// provides: cass_dnn_next_states, cass_cudnnDropoutForward
// replaces: cudnnDropoutForward
// requires: cass_cudnn_dropout_backward
// includes: miopen/miopen.h
// summary: Dropout that drops other elements with each call: the states are started anew behind each, with a seed that follows from the last.
// limit: The elements are not those that cuDNN drops for the seed; states of more than one descriptor, or restored ones, start where their own seeds say.
// source: cuDNN developer guide, cudnnDropoutForward: the states are updated; MIOpenDropoutHIP.cpp of MIOpen 6.2, whose kernel takes the states as const, so that each call would drop the same elements
CASS_DNN_INLINE miopenStatus_t cass_dnn_next_states(miopenHandle_t handle, miopenDropoutDescriptor_t dropout)
{
    float rate = 0.0f;
    void* states = NULL;
    unsigned long long seed = 0;
    bool mask = false, evolves = false;
    miopenRNGType_t kind = MIOPEN_RNG_PSEUDO_XORWOW;
    size_t bytes = 0;
    miopenStatus_t status = miopenGetDropoutDescriptor(dropout, handle, &rate, &states, &seed, &mask, &evolves, &kind);
    if (status != miopenStatusSuccess || !states || rate <= 0.0f)
        return status;
    status = miopenDropoutGetStatesSize(handle, &bytes);
    return status == miopenStatusSuccess ? miopenSetDropoutDescriptor(dropout, handle, rate, states, bytes, seed + 0x9E3779B97F4A7C15ull, mask, evolves, kind) : status;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnDropoutForward(miopenHandle_t handle, const miopenDropoutDescriptor_t dropout, const miopenTensorDescriptor_t xDesc, const void* x, const miopenTensorDescriptor_t yDesc, void* y, void* reserve, size_t reserved)
{
    miopenStatus_t status = cass_dnn_drop(handle, dropout, false, xDesc, x, yDesc, y, reserve, reserved);
    return status == miopenStatusSuccess ? cass_dnn_next_states(handle, dropout) : status;
}
