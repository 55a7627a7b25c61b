// name: cass_cast
// provides: cass_cast
// replaces: static_cast
// summary: Casts as static_cast does, and between half and bfloat16 by way of float.
// source: CUDA's cuda_bf16.hpp, whose bfloat16 converts to half implicitly through float; hip/amd_detail/amd_hip_bf16.h of ROCm 6.4
// nvidia: same
template <class CassTo, class CassFrom>
__host__ __device__ inline CassTo cass_cast(const CassFrom& value)
{
    // Classes of two bytes that are not the same: nothing else of a GPU program converts from one to the other.
    if constexpr (__is_class(CassTo) && __is_class(CassFrom) && !__is_same(CassTo, CassFrom) && sizeof(CassTo) == 2 && sizeof(CassFrom) == 2)
        return static_cast<CassTo>(static_cast<float>(value));
    else
        return static_cast<CassTo>(value);
}
