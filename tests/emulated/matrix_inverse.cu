// cuBLAS inverts batches of small matrices; hipBLAS has no such function, and a kernel of the helper header does it.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

template <class T> struct Inverse;
template <> struct Inverse<float> {
    static constexpr auto call = cublasSmatinvBatched;
};
template <> struct Inverse<double> {
    static constexpr auto call = cublasDmatinvBatched;
};

// Matrices of `n` rows in columns of `stride`: the last is singular, the first needs its rows exchanged.
template <class T> int wrong_of(int n, int stride, double near)
{
    const int count = 5;
    T *all, *inverse, **from, **to;
    int *info;
    cudaMallocManaged(&all, count * n * stride * sizeof(T));
    cudaMallocManaged(&inverse, count * n * n * sizeof(T));
    cudaMallocManaged(&from, count * sizeof(T *));
    cudaMallocManaged(&to, count * sizeof(T *));
    cudaMallocManaged(&info, count * sizeof(int));
    unsigned state = 7;
    for (int which = 0; which < count; ++which) {
        from[which] = all + which * n * stride;
        to[which] = inverse + which * n * n;
        for (int at = 0; at < n * stride; ++at) {
            state = state * 1664525u + 1013904223u;
            from[which][at] = T(int(state >> 16) % 1000) / 500 + (at % (stride + 1) == 0 ? 3 : 0);
        }
    }
    from[0][0] = 0;
    for (int row = 0; row < n; ++row) from[count - 1][row + (n - 1) * stride] = 0;
    cublasHandle_t handle;
    cublasCreate(&handle);
    int wrong = Inverse<T>::call(handle, n, from, stride, to, n, info, count) != CUBLAS_STATUS_SUCCESS;
    cudaDeviceSynchronize();
    wrong += info[count - 1] != n;
    for (int which = 0; which < count - 1; ++which) {
        wrong += info[which] != 0;
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column) {
                double sum = row == column ? -1 : 0;
                for (int k = 0; k < n; ++k) sum += double(from[which][row + k * stride]) * to[which][k + column * n];
                wrong += !(sum < near && sum > -near);
            }
    }
    wrong += Inverse<T>::call(handle, 33, from, 33, to, 33, info, 1) == CUBLAS_STATUS_SUCCESS;
    cublasDestroy(handle);
    return wrong;
}

int main()
{
    int wrong = wrong_of<float>(3, 3, 1e-4) + wrong_of<float>(9, 11, 1e-3) + wrong_of<double>(32, 32, 1e-9) + wrong_of<double>(2, 5, 1e-12);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
