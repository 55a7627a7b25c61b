// name: cass_half_overloads
// provides: CASS_HALF_OVERLOADS
// replaces:
// includes: hip/hip_fp16.h
// summary: Keeps clang's functions of two numbers of different types from failing on `__half`, so that a program's own `max(half, half)` is found.
// source: clang 19, __clang_hip_cmath.h (__numeric_type has no answer for a class that converts to several numbers)
#define CASS_HALF_OVERLOADS
#ifdef __CLANG_HIP_CMATH_H__
namespace __hip {
template <>
struct __numeric_type<__half> {
    typedef void type;
    static const bool value = false;
};
} // namespace __hip
#endif
// nvidia:
#define CASS_HALF_OVERLOADS
