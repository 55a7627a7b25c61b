// name: cass_any_pointer
// provides: cass_any_pointer
// replaces:
// summary: A pointer that becomes whatever pointer a function takes: for calls whose function a macro pastes together, so that no type can be written.
// source: hipBLAS 2.4 and hipSOLVER 2.4, whose parameters are the same pointers as cuBLAS's and cuSOLVER's with other qualifiers or names of types
// nvidia: same
struct cass_pointer_to_any {
    void* value;
    template <typename CassTo>
    operator CassTo*() const { return static_cast<CassTo*>(value); }
};
template <typename CassFrom>
inline cass_pointer_to_any cass_any_pointer(CassFrom* value)
{
    return {const_cast<void*>(static_cast<const volatile void*>(value))};
}
