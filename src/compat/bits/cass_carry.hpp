// name: cass_carry
// provides: cass_add_cc, cass_addc_cc, cass_sub_cc, cass_subc_cc
// replaces:
// summary: Sums and differences that hand a carry or borrow of 0 or 1 on in a variable, for chains over many words.
// source: PTX ISA 8.7, extended-precision integer arithmetic
// nvidia: same
template <typename CassT>
__host__ __device__ inline CassT cass_addc_cc(CassT a, CassT b, unsigned& carry)
{
    CassT sum = a + b;
    CassT result = sum + carry;
    carry = sum < a || result < sum;
    return result;
}
template <typename CassT>
__host__ __device__ inline CassT cass_add_cc(CassT a, CassT b, unsigned& carry)
{
    carry = 0;
    return cass_addc_cc(a, b, carry);
}
template <typename CassT>
__host__ __device__ inline CassT cass_subc_cc(CassT a, CassT b, unsigned& carry)
{
    CassT difference = a - b;
    CassT result = difference - carry;
    carry = a < b || difference < carry;
    return result;
}
template <typename CassT>
__host__ __device__ inline CassT cass_sub_cc(CassT a, CassT b, unsigned& carry)
{
    carry = 0;
    return cass_subc_cc(a, b, carry);
}
