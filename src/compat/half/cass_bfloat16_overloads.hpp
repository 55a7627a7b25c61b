// name: cass_bfloat16_overloads
// provides: CASS_BFLOAT16_OVERLOADS
// replaces:
// includes: hip/hip_bf16.h
// summary: Keeps clang's functions of two numbers of different types from failing on `__hip_bfloat16`, so that a program's own `max(__nv_bfloat16, __nv_bfloat16)` is found.
// source: clang 19, __clang_hip_cmath.h (__numeric_type has no answer for a class that converts to several numbers)
#define CASS_BFLOAT16_OVERLOADS
#ifdef __CLANG_HIP_CMATH_H__
namespace __hip {
template <>
struct __numeric_type<__hip_bfloat16> {
    typedef void type;
    static const bool value = false;
};
} // namespace __hip
#endif
// nvidia:
#define CASS_BFLOAT16_OVERLOADS
