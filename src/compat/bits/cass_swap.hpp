// name: cass_swap
// provides: cass_swap
// replaces: std::swap
// summary: Exchanges two values in code for host and device.
// source: C++17 std::swap, which is not constexpr before C++20
// nvidia: same
template <class T>
__host__ __device__ inline void cass_swap(T& a, T& b)
{
    T kept = static_cast<T&&>(a);
    a = static_cast<T&&>(b);
    b = static_cast<T&&>(kept);
}
