// name: cass_host_min_max
// provides:
// replaces:
// summary: `min` and `max` of the host for all numbers, as CUDA's headers have them: clang's for HIP are those of `int` alone, to which each number is converted there.
// source: CUDA Math API 13.0; `__clang_hip_math.h` of clang 19 and 21
#if defined(__cplusplus) && defined(__HIP__)
#define CASS_MIN_MAX(result, first, second)                                                    \
    static inline result min(first a, second b)                                                \
    {                                                                                          \
        return static_cast<result>(b) < static_cast<result>(a) ? static_cast<result>(b) : static_cast<result>(a); \
    }                                                                                          \
    static inline result max(first a, second b)                                                \
    {                                                                                          \
        return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b) : static_cast<result>(a); \
    }
#define CASS_FLOAT_MIN_MAX(result, first, second, of)                                      \
    static inline result min(first a, second b) { return __builtin_fmin##of(a, b); }       \
    static inline result max(first a, second b) { return __builtin_fmax##of(a, b); }
// clang 20 and later have these where a program asks for them.
#if !defined(__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__) || !(__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__ + 0)
CASS_MIN_MAX(unsigned, unsigned, unsigned)
CASS_MIN_MAX(long, long, long)
CASS_MIN_MAX(unsigned long, unsigned long, unsigned long)
CASS_MIN_MAX(long long, long long, long long)
CASS_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CASS_FLOAT_MIN_MAX(float, float, float, f)
CASS_FLOAT_MIN_MAX(double, double, double, )
CASS_FLOAT_MIN_MAX(double, float, double, )
CASS_FLOAT_MIN_MAX(double, double, float, )
#endif
#if !defined(__HIP_DEFINE_MIXED_HOST_MIN_MAX__) || !(__HIP_DEFINE_MIXED_HOST_MIN_MAX__ + 0)
CASS_MIN_MAX(unsigned, int, unsigned)
CASS_MIN_MAX(unsigned, unsigned, int)
CASS_MIN_MAX(unsigned long, long, unsigned long)
CASS_MIN_MAX(unsigned long, unsigned long, long)
CASS_MIN_MAX(unsigned long long, long long, unsigned long long)
CASS_MIN_MAX(unsigned long long, unsigned long long, long long)
#endif
#undef CASS_MIN_MAX
#undef CASS_FLOAT_MIN_MAX
#endif
// nvidia:
// NVIDIA's headers have them.
