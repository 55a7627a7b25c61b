// name: cass_swap
// provides: cass_swap
// replaces: std::swap
// summary: Exchanges two values in code for host and device.
// source: C++17 std::swap, which is not constexpr before C++20
// nvidia: same
template <class CassT>
__host__ __device__ inline void cass_swap(CassT& a, CassT& b)
{
    CassT kept = static_cast<CassT&&>(a);
    a = static_cast<CassT&&>(b);
    b = static_cast<CassT&&>(kept);
}
