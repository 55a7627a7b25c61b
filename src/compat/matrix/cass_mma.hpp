// name: cass_mma
// provides: cass_mma, cass_mma_satfinite, cass_mma_f16, cass_mma_bf16, cass_mma_tf32, cass_mma_e4m3, cass_mma_e5m2, cass_mma_f64, cass_mma_s8, cass_mma_u8, cass_mma_s4, cass_mma_u4, cass_mma_and, cass_mma_xor
// replaces:
// requires: cass_f16_bits, cass_fragment, cass_lane_id32, cass_shfl_sync
// summary: A product of matrices with its sum, `mma.sync`, by exchanges between 32 lanes: the results of tensor cores, without their speed.
// source: PTX ISA 8.7, "Matrix Fragments for mma" of each shape; OCP 8-bit floating point specification 1.0
// nvidia: same

// Types of elements: how many a register holds, and each as a number.
template <unsigned CassBits>
struct cass_mma_packed {
    static constexpr int count = 32 / CassBits;
    static __device__ unsigned bits(unsigned word, int at) { return word >> (CassBits * at) & (~0u >> (32 - CassBits)); }
    static __device__ int number(unsigned word, int at)
    {
        return static_cast<int>(word << (32 - CassBits * (at + 1))) >> (32 - CassBits);
    }
};
__device__ inline float cass_mma_half(unsigned bits) { return cass_f16_to_f32(static_cast<unsigned short>(bits)); }
struct cass_mma_f16 : cass_mma_packed<16> {
    static __device__ float at(unsigned word, int i) { return cass_mma_half(bits(word, i)); }
};
struct cass_mma_bf16 : cass_mma_packed<16> {
    static __device__ float at(unsigned word, int i) { return __uint_as_float(bits(word, i) << 16); }
};
// Tensor cores leave out the low 13 bits.
struct cass_mma_tf32 : cass_mma_packed<32> {
    static __device__ float at(unsigned word, int) { return __uint_as_float(word & 0xffffe000u); }
};
// The exponent has a bias of 7 and that of a half one of 15; the largest is no infinity, and one number is none.
struct cass_mma_e4m3 : cass_mma_packed<8> {
    static __device__ float at(unsigned word, int i)
    {
        const unsigned byte = bits(word, i);
        const float size = (byte & 0x7fu) == 0x7fu ? __uint_as_float(0x7fc00000u) : cass_mma_half((byte & 0x7fu) << 7) * 256.0f;
        return byte & 0x80u ? -size : size;
    }
};
struct cass_mma_e5m2 : cass_mma_packed<8> {
    static __device__ float at(unsigned word, int i) { return cass_mma_half(bits(word, i) << 8); }
};
struct cass_mma_f64 {
    static constexpr int count = 1;
    static __device__ double at(double value, int) { return value; }
};
struct cass_mma_s8 : cass_mma_packed<8> {
    static __device__ int at(unsigned word, int i) { return number(word, i); }
};
struct cass_mma_u8 : cass_mma_packed<8> {
    static __device__ int at(unsigned word, int i) { return static_cast<int>(bits(word, i)); }
};
struct cass_mma_s4 : cass_mma_packed<4> {
    static __device__ int at(unsigned word, int i) { return number(word, i); }
};
struct cass_mma_u4 : cass_mma_packed<4> {
    static __device__ int at(unsigned word, int i) { return static_cast<int>(bits(word, i)); }
};
// Of single bits a register counts as one element.
struct cass_mma_and {
    unsigned word;
    static constexpr int count = 1;
    static __device__ cass_mma_and at(unsigned word, int) { return {word}; }
};
struct cass_mma_xor {
    unsigned word;
    static constexpr int count = 1;
    static __device__ cass_mma_xor at(unsigned word, int) { return {word}; }
};
__device__ inline float cass_mma_step(float sum, float a, float b) { return fmaf(a, b, sum); }
__device__ inline double cass_mma_step(double sum, double a, double b) { return fma(a, b, sum); }
__device__ inline long long cass_mma_step(long long sum, int a, int b) { return sum + a * b; }
__device__ inline int cass_mma_step(int sum, int a, int b)
{
    return static_cast<int>(static_cast<unsigned>(sum) + static_cast<unsigned>(a * b));
}
__device__ inline int cass_mma_step(int sum, cass_mma_and a, cass_mma_and b) { return sum + __popc(a.word & b.word); }
__device__ inline int cass_mma_step(int sum, cass_mma_xor a, cass_mma_xor b) { return sum + __popc(a.word ^ b.word); }
// Lane 4r + s holds of row r of A, and of column r of B, the s-th quarter of each block of 4 registers; of the result, of row r the columns
// 2s and 2s + 1. Matrices of 16 rows have the rows 8 + r in every second register. A kernel calls it hundreds of times, each of them hundreds of
// instructions.
template <typename CassA, typename CassB, typename CassWord, int CassNA, int CassNB, typename CassSum, int CassN>
__device__ __noinline__ cass_fragment<CassSum, CassN> cass_mma(
    cass_fragment<CassWord, CassNA> a, cass_fragment<CassWord, CassNB> b, cass_fragment<CassSum, CassN> sum)
{
    constexpr int halves = CassN / 2;
    static_assert(CassNA == halves * CassNB, "each register of B meets one of A for each 8 rows");
    const unsigned row = cass_lane_id32() & 28u;
    const unsigned column = (cass_lane_id32() & 3u) * 8u;
#pragma unroll
    for (int block = 0; block < CassNB; ++block)
#pragma unroll
        for (unsigned quarter = 0; quarter < 4; ++quarter) {
            CassWord of_a[halves], of_b[2];
#pragma unroll
            for (int half = 0; half < halves; ++half)
                of_a[half] = cass_shfl_sync(~0u, a.part[block * halves + half], row + quarter);
#pragma unroll
            for (unsigned side = 0; side < 2; ++side)
                of_b[side] = cass_shfl_sync(~0u, b.part[block], column + side * 4u + quarter);
#pragma unroll
            for (int i = 0; i < CassN; ++i)
#pragma unroll
                for (int element = 0; element < CassA::count; ++element)
                    sum.part[i] = cass_mma_step(
                        sum.part[i], CassA::at(of_a[i / 2], element), CassB::at(of_b[i % 2], element));
        }
    return sum;
}
// Sums that are halves, two in a register, are added up in single precision and rounded once.
template <typename CassA, typename CassB, int CassNA, int CassNB, int CassN>
__device__ inline cass_fragment<unsigned, CassN> cass_mma(
    cass_fragment<unsigned, CassNA> a, cass_fragment<unsigned, CassNB> b, cass_fragment<unsigned, CassN> sum)
{
    cass_fragment<float, 2 * CassN> wide;
    for (int i = 0; i < 2 * CassN; ++i)
        wide.part[i] = cass_mma_f16::at(sum.part[i / 2], i % 2);
    wide = cass_mma<CassA, CassB>(a, b, wide);
    for (int i = 0; i < CassN; ++i)
        sum.part[i] = cass_f16_from_f32(wide.part[2 * i]) | static_cast<unsigned>(cass_f16_from_f32(wide.part[2 * i + 1])) << 16;
    return sum;
}
// Sums of integers that stop at the ends of their type.
template <typename CassA, typename CassB, int CassNA, int CassNB, int CassN>
__device__ inline cass_fragment<int, CassN> cass_mma_satfinite(
    cass_fragment<unsigned, CassNA> a, cass_fragment<unsigned, CassNB> b, cass_fragment<int, CassN> sum)
{
    cass_fragment<long long, CassN> wide;
    for (int i = 0; i < CassN; ++i)
        wide.part[i] = sum.part[i];
    wide = cass_mma<CassA, CassB>(a, b, wide);
    for (int i = 0; i < CassN; ++i) {
        const long long at_least = wide.part[i] < -2147483648ll ? -2147483648ll : wide.part[i];
        sum.part[i] = static_cast<int>(at_least > 2147483647ll ? 2147483647ll : at_least);
    }
    return sum;
}
