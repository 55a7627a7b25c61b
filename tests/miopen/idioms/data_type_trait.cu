// exact: a trait that gives the type of data
#include <cudnn.h>

#include <cuda_fp16.h>
template <class T> struct TypeOf;
template <> struct TypeOf<float> { static constexpr cudnnDataType_t value = CUDNN_DATA_FLOAT; typedef float Scale; };
template <> struct TypeOf<double> { static constexpr cudnnDataType_t value = CUDNN_DATA_DOUBLE; typedef double Scale; };
template <> struct TypeOf<__half> { static constexpr cudnnDataType_t value = CUDNN_DATA_HALF; typedef float Scale; };
template <class T> void described(cudnnTensorDescriptor_t d, int n, int c, int h, int w) { cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, TypeOf<T>::value, n, c, h, w); }
template void described<float>(cudnnTensorDescriptor_t, int, int, int, int);
