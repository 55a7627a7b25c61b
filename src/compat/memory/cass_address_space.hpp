// name: cass_address_space
// provides: cass_isShared, cass_isLocal, cass_isGlobal
// replaces: __isShared, __isLocal, __isGlobal
// summary: Which memory a generic pointer names; on AMD constant memory is part of global memory.
// source: CUDA C++ Programming Guide 13.0, address space predicate functions; clang 19 AMDGPU builtins
__device__ inline unsigned cass_isShared(const void* pointer)
{
    return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)pointer);
}
__device__ inline unsigned cass_isLocal(const void* pointer)
{
    return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)pointer);
}
__device__ inline unsigned cass_isGlobal(const void* pointer)
{
    return !cass_isShared(pointer) && !cass_isLocal(pointer);
}
