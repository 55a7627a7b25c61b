// Arrays on the device, and calls that must succeed.
#pragma once
#include "reference.hpp"
#include <cuda_runtime.h>
#include <cudnn.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudnnStatus_t status_ = (call);                                                                      \
        if (status_ != CUDNN_STATUS_SUCCESS) {                                                               \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudnnGetErrorString(status_));                    \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

struct Array {
    float *p = nullptr;
    size_t count;
    explicit Array(const Numbers &all) : count(all.size())
    {
        if (cudaMalloc(&p, count * sizeof(float)) != cudaSuccess)
            std::exit(1);
        cudaMemcpy(p, all.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    }
    Array(const Array &) = delete;
    ~Array() { cudaFree(p); }
    Numbers read() const
    {
        Numbers all(count);
        cudaDeviceSynchronize();
        cudaMemcpy(all.data(), p, count * sizeof(float), cudaMemcpyDeviceToHost);
        return all;
    }
};

struct Tensor {
    cudnnTensorDescriptor_t d;
    explicit Tensor(Shape s, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW)
    {
        CHECK(cudnnCreateTensorDescriptor(&d));
        CHECK(cudnnSetTensor4dDescriptor(d, format, CUDNN_DATA_FLOAT, s.n, s.c, s.h, s.w));
    }
    ~Tensor() { cudnnDestroyTensorDescriptor(d); }
};

struct Filter {
    cudnnFilterDescriptor_t d;
    explicit Filter(Shape s, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW)
    {
        CHECK(cudnnCreateFilterDescriptor(&d));
        CHECK(cudnnSetFilter4dDescriptor(d, CUDNN_DATA_FLOAT, format, s.n, s.c, s.h, s.w));
    }
    ~Filter() { cudnnDestroyFilterDescriptor(d); }
};
