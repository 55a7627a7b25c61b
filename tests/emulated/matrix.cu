// Tensor cores on fragments in registers: every form against sums over the whole matrices. All numbers are small integers, so that no sum is
// rounded; in the forms that stop at the ends of their type some sums begin near these.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// Types of elements: how many bits each has, and what stands for a small number.
struct Half {
    enum { bits = 16, least = -7, count = 15 };
    static __device__ unsigned of(int number) { return __half_as_ushort(__float2half(number)); }
};
struct Brain {
    enum { bits = 16, least = -7, count = 15 };
    static __device__ unsigned of(int number) { return __float_as_uint(number) >> 16; }
};
struct Single {
    enum { bits = 32, least = -7, count = 15 };
    static __device__ unsigned of(int number) { return __float_as_uint(number); }
};
struct Double {
    enum { bits = 64, least = -7, count = 15 };
    static __device__ double of(int number) { return number; }
};
template <int Bits> struct Signed {
    enum { bits = Bits, least = -(1 << (Bits - 1)), count = 1 << Bits };
    static __device__ unsigned of(int number) { return number & ((1u << Bits) - 1); }
};
template <int Bits> struct Unsigned {
    enum { bits = Bits, least = 0, count = 1 << Bits };
    static __device__ unsigned of(int number) { return number; }
};
// Sign, exponent and mantissa of 8 bits; powers of two and their sums with half of themselves.
template <int Bias, int Mantissa> struct Quarter {
    enum { bits = 8, least = -7, count = 15 };
    static __device__ unsigned of(int number)
    {
        unsigned size = number < 0 ? -number : number, power = 0;
        if (size == 0)
            return 0;
        while (size >> (power + 1))
            ++power;
        const unsigned rest = (size << Mantissa >> power) & ((1u << Mantissa) - 1);
        return (number < 0 ? 0x80u : 0u) | (Bias + power) << Mantissa | rest;
    }
};
typedef Quarter<7, 3> E4M3;
typedef Quarter<15, 2> E5M2;


// A number of a matrix that looks random.
__host__ __device__ inline unsigned noise(unsigned x)
{
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x = (x ^ (x >> 4)) * 0x27d4eb2d;
    return x ^ (x >> 15);
}
template <class Element> __host__ __device__ int number(unsigned matrix, unsigned row, unsigned column)
{
    return Element::least + static_cast<int>(noise(matrix * 77777 + row * 311 + column) % Element::count);
}

// The fragments of a lane. `word` is a register of A and B, `sum` one of C and D, which has two halves where `packed`.
template <class ElementA, class ElementB, class WordT, class SumT, int Rows, int Depth, bool Packed = false> struct Form {
    typedef ElementA A;
    typedef ElementB B;
    typedef WordT word;
    typedef SumT sum;
    enum { rows = Rows, depth = Depth, packed = Packed, halves = Rows / 8 };
    enum { each = ElementA::bits == 64 ? 1 : 32 / (ElementA::bits % 64 ? ElementA::bits : 1), blocks = Depth / (4 * each) };
};
__device__ inline void put(double& word, double bits, int, int) { word = bits; }
__device__ inline void put(unsigned& word, unsigned bits, int width, int at) { word |= bits << (width % 32 * at); }

__device__ inline void put_sum(float& sum, int value, int) { sum = value; }
__device__ inline void put_sum(double& sum, int value, int) { sum = value; }
__device__ inline void put_sum(int& sum, int value, int) { sum = value; }
__device__ inline void put_sum(unsigned& sum, int value, int at)
{
    sum = (at ? sum & 0xffffu : 0u) | static_cast<unsigned>(__half_as_ushort(__float2half(value))) << (16 * at);
}
template <class SumT> __device__ long long sum_of(SumT sum, int) { return static_cast<long long>(sum); }
__device__ inline long long sum_of(unsigned sum, int at)
{
    return static_cast<long long>(__half2float(__ushort_as_half(static_cast<unsigned short>(sum >> (16 * at)))));
}

// What C begins with, near the ends of its type for forms that stop there.
__host__ __device__ inline int start(int row, int column, int near)
{
    const int least = static_cast<int>(noise(row * 8 + column) % 61) - 30;
    return near == 0 ? least : (row + column) % 2 ? near - (least + 30) * 40 : (least + 30) * 40 - near;
}

template <class F> __global__ void products(long long* found, unsigned matrix, int near)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, place = lane % 4;
    typename F::word a[F::halves * F::blocks] = {}, b[F::blocks] = {};
    const int registers = F::packed ? F::halves : 2 * F::halves;
    typename F::sum c[registers] = {}, d[registers] = {};
    matrix += 2 * warp;
    for (int block = 0; block < F::blocks; ++block)
        for (int i = 0; i < F::each; ++i) {
            const int k = (block * 4 + place) * F::each + i;
            for (int half = 0; half < F::halves; ++half)
                put(a[block * F::halves + half], F::A::of(number<typename F::A>(matrix, group + 8 * half, k)), F::A::bits, i);
            put(b[block], F::B::of(number<typename F::B>(matrix + 1, k, group)), F::B::bits, i);
        }
    for (int half = 0; half < F::halves; ++half)
        for (int side = 0; side < 2; ++side)
            put_sum(c[F::packed ? half : 2 * half + side], start(group + 8 * half, 2 * place + side, near), side);
    // One warp of a wave alone as well.
    if (warp != 2)
        F::multiply(d, a, b, c);
    for (int half = 0; half < F::halves; ++half)
        for (int side = 0; side < 2; ++side)
            found[(warp * 16 + group + 8 * half) * 8 + 2 * place + side] = sum_of(d[F::packed ? half : 2 * half + side], side);
}

int wrong = 0;
template <class F> void check(const char* name, bool differs, int near)
{
    const int warps = 5;
    long long *device, found[warps * 16 * 8];
    cudaMalloc(&device, sizeof(found));
    products<F><<<1, 32 * warps>>>(device, 3, near);
    cudaMemcpy(found, device, sizeof(found), cudaMemcpyDeviceToHost);
    cudaFree(device);
    int failed = 0;
    long long total = 0;
    for (int warp = 0; warp < warps; ++warp)
        for (int row = 0; row < F::rows; ++row)
            for (int column = 0; column < 8; ++column) {
                long long sum = start(row, column, near);
                for (int k = 0; k < F::depth; ++k) {
                    const int a = number<typename F::A>(3 + 2 * warp, row, k), b = number<typename F::B>(4 + 2 * warp, k, column);
                    sum += differs ? a ^ b : a * b;
                }
                if (near != 0)
                    sum = sum > 2147483647 ? 2147483647 : sum < -2147483647 - 1 ? -2147483647 - 1 : sum;
                const long long is = found[(warp * 16 + row) * 8 + column];
                failed += is != (warp == 2 ? 0 : sum);
                total = total * 31 + is;
            }
    printf("%s: %d wrong, %llx\n", name, failed, static_cast<unsigned long long>(total));
    wrong += failed;
}

struct F16K8 : Form<Half, Half, unsigned, float, 16, 8> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct F16K16 : Form<Half, Half, unsigned, float, 16, 16> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct F16SumK8 : Form<Half, Half, unsigned, unsigned, 16, 8, true> {
    static __device__ void multiply(unsigned* d, const unsigned* a, const unsigned* b, const unsigned* c)
    {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
                     "{%0, %1}, {%2, %3}, {%4}, {%5, %6};"
                     : "=r"(d[0]), "=r"(d[1])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]),
                       "r"(c[0]), "r"(c[1]));
    }
};

struct F16SumK16 : Form<Half, Half, unsigned, unsigned, 16, 16, true> {
    static __device__ void multiply(unsigned* d, const unsigned* a, const unsigned* b, const unsigned* c)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                     "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                     : "=r"(d[0]), "=r"(d[1])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "r"(c[0]), "r"(c[1]));
    }
};

struct Bf16K8 : Form<Brain, Brain, unsigned, float, 16, 8> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Bf16K16 : Form<Brain, Brain, unsigned, float, 16, 16> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Tf32K4 : Form<Single, Single, unsigned, float, 16, 4> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct Tf32K8 : Form<Single, Single, unsigned, float, 16, 8> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct F64K4 : Form<Double, Double, double, double, 8, 4> {
    static __device__ void multiply(double* d, const double* a, const double* b, const double* c)
    {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                     "{%0, %1}, {%2}, {%3}, {%4, %5};"
                     : "=d"(d[0]), "=d"(d[1])
                     : "d"(a[0]), "d"(b[0]),
                       "d"(c[0]), "d"(c[1]));
    }
};

struct S8K16 : Form<Signed<8>, Signed<8>, unsigned, int, 8, 16> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 "
                     "{%0, %1}, {%2}, {%3}, {%4, %5};"
                     : "=r"(d[0]), "=r"(d[1])
                     : "r"(a[0]), "r"(b[0]),
                       "r"(c[0]), "r"(c[1]));
    }
};

struct U8S8K16 : Form<Unsigned<8>, Signed<8>, unsigned, int, 16, 16> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 "
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]),
                       "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct S8U8K32 : Form<Signed<8>, Unsigned<8>, unsigned, int, 16, 32> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct S4K32 : Form<Signed<4>, Signed<4>, unsigned, int, 8, 32> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 "
                     "{%0, %1}, {%2}, {%3}, {%4, %5};"
                     : "=r"(d[0]), "=r"(d[1])
                     : "r"(a[0]), "r"(b[0]),
                       "r"(c[0]), "r"(c[1]));
    }
};

struct U4S4K64 : Form<Unsigned<4>, Signed<4>, unsigned, int, 16, 64> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct AndK128 : Form<Unsigned<1>, Unsigned<1>, unsigned, int, 16, 128> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc "
                     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]),
                       "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

struct XorK256 : Form<Unsigned<1>, Unsigned<1>, unsigned, int, 16, 256> {
    static __device__ void multiply(int* d, const unsigned* a, const unsigned* b, const int* c)
    {
        asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    }
};

#ifdef HAS_FP8
struct E4m3K32 : Form<E4M3, E4M3, unsigned, float, 16, 32> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

struct E5m2E4m3K32 : Form<E5M2, E4M3, unsigned, float, 16, 32> {
    static __device__ void multiply(float* d, const unsigned* a, const unsigned* b, const float* c)
    {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    }
};

#endif

// Loads, stores and transposes of fragments: rows of 8 halves, 16 bytes apart from the next but one, so that no bank is met twice.
__device__ inline unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__global__ void moves(unsigned* failed)
{
    __shared__ __align__(16) unsigned short tile[5][32][24], copy[5][32][24];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, place = lane % 4;
    for (int i = 0; i < 24; ++i) {
        tile[warp][lane][i] = static_cast<unsigned short>(noise((warp * 32 + lane) * 24 + i));
        copy[warp][lane][i] = 0;
    }
    __syncthreads();
    const unsigned row = shared_address(&tile[warp][lane][8]);
    unsigned r[4], t[4], one, two[2], wrong = 0;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(one) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2 + 16];" : "=r"(two[0]), "=r"(two[1]) : "r"(row - 16));
    for (int m = 0; m < 4; ++m) {
        const unsigned low = tile[warp][m * 8 + group][8 + place * 2], high = tile[warp][m * 8 + group][9 + place * 2];
        const unsigned first = tile[warp][m * 8 + place * 2][8 + group], second = tile[warp][m * 8 + place * 2 + 1][8 + group];
        wrong += r[m] != (low | high << 16);
        wrong += t[m] != (first | second << 16);
        wrong += m == 0 && one != t[0];
        wrong += m < 2 && two[m] != r[m];
    }
    unsigned turned;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(r[3]));
    wrong += turned != t[3];
#if defined(HAS_STMATRIX)
    const unsigned to = shared_address(&copy[warp][lane][8]);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
    __syncwarp();
    for (int i = 8; i < 16; ++i)
        wrong += copy[warp][lane][i] != tile[warp][lane][i];
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" : : "r"(to), "r"(r[0]), "r"(r[1]) : "memory");
    __syncwarp();
    for (int i = 8; i < 16 && lane < 16; ++i)
        wrong += copy[warp][lane][i] != tile[warp][lane / 8 * 8 + i - 8][8 + lane % 8];
#endif
    atomicAdd(failed, wrong);
}

int main()
{
    const int top = 2147483647;
    check<F16K8>("m16n8k8.row.col.f32.f16.f16.f32", false, 0);
    check<F16K16>("m16n8k16.row.col.f32.f16.f16.f32", false, 0);
    check<F16SumK8>("m16n8k8.row.col.f16.f16.f16.f16", false, 0);
    check<F16SumK16>("m16n8k16.row.col.f16.f16.f16.f16", false, 0);
    check<Bf16K8>("m16n8k8.row.col.f32.bf16.bf16.f32", false, 0);
    check<Bf16K16>("m16n8k16.row.col.f32.bf16.bf16.f32", false, 0);
    check<Tf32K4>("m16n8k4.row.col.f32.tf32.tf32.f32", false, 0);
    check<Tf32K8>("m16n8k8.row.col.f32.tf32.tf32.f32", false, 0);
    check<F64K4>("m8n8k4.row.col.f64.f64.f64.f64", false, 0);
    check<S8K16>("m8n8k16.row.col.satfinite.s32.s8.s8.s32", false, top);
    check<U8S8K16>("m16n8k16.row.col.s32.u8.s8.s32", false, 0);
    check<S8U8K32>("m16n8k32.row.col.satfinite.s32.s8.u8.s32", false, top);
    check<S4K32>("m8n8k32.row.col.s32.s4.s4.s32", false, 0);
    check<U4S4K64>("m16n8k64.row.col.satfinite.s32.u4.s4.s32", false, top);
    check<AndK128>("m16n8k128.row.col.s32.b1.b1.s32.and.popc", false, 0);
    check<XorK256>("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", true, 0);
#ifdef HAS_FP8
    check<E4m3K32>("m16n8k32.row.col.f32.e4m3.e4m3.f32", false, 0);
    check<E5m2E4m3K32>("m16n8k32.row.col.f32.e5m2.e4m3.f32", false, 0);
#endif
    unsigned *device, failed = 0;
    cudaMalloc(&device, sizeof(failed));
    cudaMemcpy(device, &failed, sizeof(failed), cudaMemcpyHostToDevice);
    moves<<<1, 160>>>(device);
    cudaMemcpy(&failed, device, sizeof(failed), cudaMemcpyDeviceToHost);
    printf("loads and stores: %u wrong\n", failed);
    wrong += failed;
    printf("%d wrong: %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
    return wrong != 0;
}
