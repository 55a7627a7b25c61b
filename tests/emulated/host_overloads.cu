// `min`, `max` and functions of <math.h> in host code, and in functions for both sides, where the host says the same as the device. Ends with 0
// where all are right.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

static int wrong = 0;

#define EXPECT(condition)                                  \
    do {                                                   \
        if (!(condition)) {                                \
            std::printf("line %d is wrong\n", __LINE__);   \
            ++wrong;                                       \
        }                                                  \
    } while (0)

template <typename A, typename B> struct same { static constexpr bool value = false; };
template <typename A> struct same<A, A> { static constexpr bool value = true; };

template <typename T>
__host__ __device__ T scaled(T x, T low)
{
    static_assert(same<decltype(log(x)), T>::value, "the logarithm has another type");
    return max(x, low) * log(x) + min(x, low);
}

__global__ void on_device(float x, float low, float *result) { *result = scaled(x, low); }

static void numbers(float f, double d, unsigned u, size_t n, long long l)
{
    EXPECT(max(f, 1.5f) == 1.5f);
    EXPECT(min(f, 1.5f) == 0.25f);
    EXPECT(max(f, d) == 2.75);
    EXPECT(min(d, f) == 0.25);
    EXPECT(max(u, 7) == 4000000000u);
    EXPECT(max(n, n + 1) == (size_t(1) << 40) + 1);
    EXPECT(min(l, -l) == -5000000000ll);
    EXPECT(max(3, 4) == 4);
    EXPECT(max(f, f * NAN) == f);
}

int main()
{
    numbers(0.25f, 2.75, 4000000000u, size_t(1) << 40, 5000000000ll);
    float *device, result;
    cudaMalloc(&device, sizeof(float));
    on_device<<<1, 1>>>(1.0f, 2.5f, device);
    cudaMemcpy(&result, device, sizeof(float), cudaMemcpyDeviceToHost);
    EXPECT(result == 1.0f && scaled(1.0f, 2.5f) == result);
    cudaFree(device);
    return wrong != 0;
}
