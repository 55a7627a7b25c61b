// name: cass_opaque
// provides: cass_opaque
// replaces:
// summary: A value whose origin the optimizer cannot see, so that no arithmetic is merged across it; it costs no instruction.
// source: LLVM 19 AMDGPU inline assembly (v: vector register); with -ffast-math or -ffp-contract=fast clang fuses in spite of pragmas
template <typename CassT>
__host__ __device__ inline CassT cass_opaque(CassT value)
{
#if defined(__HIP_DEVICE_COMPILE__)
    asm("" : "+v"(value));
#endif
    return value;
}
// nvidia:
template <typename CassT>
__host__ __device__ inline CassT cass_opaque(CassT value)
{
    return value;
}
