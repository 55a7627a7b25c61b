// name: cass_cvta
// provides: cass_cvta_generic_to_shared, cass_cvta_shared_to_generic, cass_cvta_generic_to_global, cass_cvta_global_to_generic
// replaces: __cvta_generic_to_shared, __cvta_shared_to_generic, __cvta_generic_to_global, __cvta_global_to_generic
// summary: Conversion between generic pointers and addresses within shared (LDS) and global memory.
// source: CUDA C++ Programming Guide 13.0, address space conversion functions; LLVM 19 AMDGPU usage, address spaces
__device__ inline size_t cass_cvta_generic_to_shared(const void* pointer)
{
    return reinterpret_cast<size_t>((const __attribute__((address_space(3))) char*)pointer);
}
__device__ inline void* cass_cvta_shared_to_generic(size_t address)
{
    return (void*)reinterpret_cast<__attribute__((address_space(3))) char*>(address);
}
__device__ inline size_t cass_cvta_generic_to_global(const void* pointer)
{
    return reinterpret_cast<size_t>(pointer);
}
__device__ inline void* cass_cvta_global_to_generic(size_t address)
{
    return reinterpret_cast<void*>(address);
}
