// name: cass_stmatrix
// provides: cass_stmatrix
// replaces:
// requires: cass_fragment, cass_lane_id32, cass_shfl_sync
// summary: Stores matrices of 8 by 8 halves to shared memory, `stmatrix`: lane 8m + r has the address of row r of matrix m.
// source: PTX ISA 8.7, stmatrix
// nvidia: same
template <bool CassTransposed, int CassN>
__device__ inline void cass_stmatrix(void* row, cass_fragment<unsigned, CassN> stored)
{
    const unsigned group = cass_lane_id32() / 4u, place = cass_lane_id32() & 3u;
    const auto own = reinterpret_cast<unsigned long long>(row);
#pragma unroll
    for (unsigned matrix = 0; matrix < CassN; ++matrix) {
        const unsigned first = matrix * 8u;
        if (CassTransposed) {
            for (unsigned i = 0; i < 2; ++i) {
                const auto to = cass_shfl_sync(~0u, own, first + place * 2u + i) + group * 2u;
                const auto half = static_cast<unsigned short>(stored.part[matrix] >> 16u * i);
                __builtin_memcpy(reinterpret_cast<void*>(to), &half, 2);
            }
        } else {
            const auto to = cass_shfl_sync(~0u, own, first + group) + place * 4u;
            __builtin_memcpy(__builtin_assume_aligned(reinterpret_cast<void*>(to), 4), &stored.part[matrix], 4);
        }
    }
}
