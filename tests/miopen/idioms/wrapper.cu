// exact: a template that owns descriptors
#include <cudnn.h>

#include <memory>
template <class T, cudnnStatus_t (*make)(T*), cudnnStatus_t (*gone)(T)> class Owned { T d; public: Owned() { make(&d); } ~Owned() { gone(d); } operator T() const { return d; } };
using OwnedTensor = Owned<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using OwnedFilter = Owned<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using OwnedConvolution = Owned<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor>;
using OwnedPooling = Owned<cudnnPoolingDescriptor_t, cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor>;
void wrapper() { OwnedTensor t; OwnedFilter w; OwnedConvolution c; OwnedPooling p; }
