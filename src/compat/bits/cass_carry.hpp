// name: cass_carry
// provides: cass_add_cc, cass_addc_cc, cass_sub_cc, cass_subc_cc
// replaces:
// summary: Sums and differences that hand a carry or borrow of 0 or 1 on in a variable, for chains over many words.
// source: PTX ISA 8.7, extended-precision integer arithmetic
// nvidia: same
template <typename CassA, typename CassB>
__host__ __device__ inline auto cass_addc_cc(CassA first, CassB second, unsigned& carry) -> decltype(first + second)
{
    // `uint64_t` and `unsigned long long` are two types.
    decltype(first + second) a = first, b = second, sum = a + b, result = sum + carry;
    carry = sum < a || result < sum;
    return result;
}
template <typename CassA, typename CassB>
__host__ __device__ inline auto cass_add_cc(CassA a, CassB b, unsigned& carry) -> decltype(a + b)
{
    carry = 0;
    return cass_addc_cc(a, b, carry);
}
template <typename CassA, typename CassB>
__host__ __device__ inline auto cass_subc_cc(CassA first, CassB second, unsigned& carry) -> decltype(first - second)
{
    decltype(first - second) a = first, b = second, difference = a - b, result = difference - carry;
    carry = a < b || difference < carry;
    return result;
}
template <typename CassA, typename CassB>
__host__ __device__ inline auto cass_sub_cc(CassA a, CassB b, unsigned& carry) -> decltype(a - b)
{
    carry = 0;
    return cass_subc_cc(a, b, carry);
}
