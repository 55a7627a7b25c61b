// name: cass_ldmatrix
// provides: cass_ldmatrix
// replaces:
// requires: cass_fragment, cass_lane_id32, cass_shfl_sync
// summary: Loads matrices of 8 by 8 halves from shared memory, `ldmatrix`: lane 8m + r has the address of row r of matrix m.
// source: PTX ISA 8.7, ldmatrix
// nvidia: same
template <int CassN, bool CassTransposed>
__device__ inline cass_fragment<unsigned, CassN> cass_ldmatrix(const void* row)
{
    cass_fragment<unsigned, CassN> loaded;
    const unsigned group = cass_lane_id32() / 4u, place = cass_lane_id32() & 3u;
    const auto own = reinterpret_cast<unsigned long long>(row);
#pragma unroll
    for (unsigned matrix = 0; matrix < CassN; ++matrix) {
        const unsigned first = matrix * 8u;
        if (CassTransposed) {
            unsigned short halves[2];
            for (unsigned i = 0; i < 2; ++i) {
                const auto from = cass_shfl_sync(~0u, own, first + place * 2u + i) + group * 2u;
                __builtin_memcpy(&halves[i], reinterpret_cast<const void*>(from), 2);
            }
            loaded.part[matrix] = halves[0] | static_cast<unsigned>(halves[1]) << 16;
        } else {
            const auto from = cass_shfl_sync(~0u, own, first + group) + place * 4u;
            __builtin_memcpy(&loaded.part[matrix], __builtin_assume_aligned(reinterpret_cast<const void*>(from), 4), 4);
        }
    }
    return loaded;
}
