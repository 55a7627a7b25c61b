// name: helper_math
// provides: make_float2, make_float3, make_float4, make_int2, make_int3, make_int4, make_uint2, make_uint3, make_uint4, fminf, fmaxf, min, max, clamp, lerp, dot, length, normalize, floorf, fracf, fmodf, fabs, abs, reflect, cross, smoothstep
// replaces: helper_math.h
// includes: cmath
// summary: Vector functions of the CUDA samples' helper_math.h under their own names. No operators: HIP's vectors have them.
// source: documented behaviour of the CUDA samples (Common); HIP 6.4 amd_hip_vector_types.h (element-wise + - * / and scalars)
typedef unsigned int uint;
typedef unsigned short ushort;
// Templates, so that beside functions of a project's own with the same parameters those are called.
#define CASS_FN template <int CassRank = 0> inline __host__ __device__

// Conversions between sizes and element types that HIP's make functions lack.
#define CASS_MAKE(V, T, A, B)                                                                              \
    CASS_FN V##2 make_##V##2(T s) { return make_##V##2(s, s); }                                            \
    CASS_FN V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); }                                     \
    CASS_FN V##2 make_##V##2(A##2 a) { return make_##V##2(T(a.x), T(a.y)); }                               \
    CASS_FN V##2 make_##V##2(B##2 a) { return make_##V##2(T(a.x), T(a.y)); }                               \
    CASS_FN V##3 make_##V##3(T s) { return make_##V##3(s, s, s); }                                         \
    CASS_FN V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, T(0)); }                               \
    CASS_FN V##3 make_##V##3(V##2 a, T s) { return make_##V##3(a.x, a.y, s); }                             \
    CASS_FN V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); }                                \
    CASS_FN V##3 make_##V##3(A##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); }                       \
    CASS_FN V##3 make_##V##3(B##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); }                       \
    CASS_FN V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); }                                      \
    CASS_FN V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, T(0)); }                          \
    CASS_FN V##4 make_##V##4(V##3 a, T w) { return make_##V##4(a.x, a.y, a.z, w); }                        \
    CASS_FN V##4 make_##V##4(A##4 a) { return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); }               \
    CASS_FN V##4 make_##V##4(B##4 a) { return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
CASS_MAKE(float, float, int, uint)
CASS_MAKE(int, int, float, uint)
CASS_MAKE(uint, uint, float, int)
#undef CASS_MAKE

// Overloads of `name` for two, three and four elements, each element computed by `f`.
#define CASS_EACH1(V, name, f)                                                                             \
    CASS_FN V##2 name(V##2 a) { return make_##V##2(f(a.x), f(a.y)); }                                      \
    CASS_FN V##3 name(V##3 a) { return make_##V##3(f(a.x), f(a.y), f(a.z)); }                              \
    CASS_FN V##4 name(V##4 a) { return make_##V##4(f(a.x), f(a.y), f(a.z), f(a.w)); }
#define CASS_EACH2(V, name, f)                                                                             \
    CASS_FN V##2 name(V##2 a, V##2 b) { return make_##V##2(f(a.x, b.x), f(a.y, b.y)); }                    \
    CASS_FN V##3 name(V##3 a, V##3 b) { return make_##V##3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }       \
    CASS_FN V##4 name(V##4 a, V##4 b) { return make_##V##4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)); }
#define CASS_SMALLER(a, b) ((b) < (a) ? (b) : (a))
#define CASS_LARGER(a, b) ((a) < (b) ? (b) : (a))
#define CASS_MAGNITUDE(a) ((a) < 0 ? -(a) : (a))

CASS_EACH2(float, fminf, ::fminf)
CASS_EACH2(float, fmaxf, ::fmaxf)
CASS_EACH2(float, fmodf, ::fmodf)
CASS_EACH1(float, floorf, ::floorf)
CASS_EACH1(float, fabs, ::fabsf)
CASS_EACH1(int, abs, CASS_MAGNITUDE)
CASS_EACH2(int, min, CASS_SMALLER)
CASS_EACH2(int, max, CASS_LARGER)
CASS_EACH2(uint, min, CASS_SMALLER)
CASS_EACH2(uint, max, CASS_LARGER)

CASS_FN float fracf(float v) { return v - ::floorf(v); }
CASS_EACH1(float, fracf, fracf)

CASS_FN float clamp(float v, float a, float b) { return ::fmaxf(a, ::fminf(v, b)); }
CASS_FN int clamp(int v, int a, int b) { return CASS_LARGER(a, CASS_SMALLER(v, b)); }
CASS_FN unsigned int clamp(unsigned int v, unsigned int a, unsigned int b) { return CASS_LARGER(a, CASS_SMALLER(v, b)); }
#define CASS_CLAMP(V, T)                                                                                   \
    CASS_FN V##2 clamp(V##2 v, V##2 a, V##2 b)                                                             \
    { return make_##V##2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y)); }                                    \
    CASS_FN V##3 clamp(V##3 v, V##3 a, V##3 b)                                                             \
    { return make_##V##3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)); }              \
    CASS_FN V##4 clamp(V##4 v, V##4 a, V##4 b)                                                             \
    { return make_##V##4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w)); } \
    CASS_FN V##2 clamp(V##2 v, T a, T b) { return clamp(v, make_##V##2(a), make_##V##2(b)); }              \
    CASS_FN V##3 clamp(V##3 v, T a, T b) { return clamp(v, make_##V##3(a), make_##V##3(b)); }              \
    CASS_FN V##4 clamp(V##4 v, T a, T b) { return clamp(v, make_##V##4(a), make_##V##4(b)); }
CASS_CLAMP(float, float)
CASS_CLAMP(int, int)
CASS_CLAMP(uint, unsigned int)
#undef CASS_CLAMP

#define CASS_DOT(V, T)                                                                                     \
    CASS_FN T dot(V##2 a, V##2 b) { return a.x * b.x + a.y * b.y; }                                        \
    CASS_FN T dot(V##3 a, V##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                            \
    CASS_FN T dot(V##4 a, V##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
CASS_DOT(float, float)
CASS_DOT(int, int)
CASS_DOT(uint, unsigned int)
#undef CASS_DOT

CASS_FN float lerp(float a, float b, float t) { return a + t * (b - a); }
CASS_FN float2 lerp(float2 a, float2 b, float t) { return make_float2(lerp(a.x, b.x, t), lerp(a.y, b.y, t)); }
CASS_FN float3 lerp(float3 a, float3 b, float t)
{
    return make_float3(lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t));
}
CASS_FN float4 lerp(float4 a, float4 b, float t)
{
    return make_float4(lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t), lerp(a.w, b.w, t));
}

CASS_FN float length(float2 v) { return ::sqrtf(dot(v, v)); }
CASS_FN float length(float3 v) { return ::sqrtf(dot(v, v)); }
CASS_FN float length(float4 v) { return ::sqrtf(dot(v, v)); }
CASS_FN float2 normalize(float2 v)
{
    float s = 1.0f / length(v);
    return make_float2(v.x * s, v.y * s);
}
CASS_FN float3 normalize(float3 v)
{
    float s = 1.0f / length(v);
    return make_float3(v.x * s, v.y * s, v.z * s);
}
CASS_FN float4 normalize(float4 v)
{
    float s = 1.0f / length(v);
    return make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}

CASS_FN float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
CASS_FN float3 reflect(float3 i, float3 n)
{
    float s = 2.0f * dot(n, i);
    return make_float3(i.x - s * n.x, i.y - s * n.y, i.z - s * n.z);
}

CASS_FN float smoothstep(float a, float b, float x)
{
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
CASS_FN float2 smoothstep(float2 a, float2 b, float2 x)
{
    return make_float2(smoothstep(a.x, b.x, x.x), smoothstep(a.y, b.y, x.y));
}
CASS_FN float3 smoothstep(float3 a, float3 b, float3 x)
{
    return make_float3(smoothstep(a.x, b.x, x.x), smoothstep(a.y, b.y, x.y), smoothstep(a.z, b.z, x.z));
}
CASS_FN float4 smoothstep(float4 a, float4 b, float4 x)
{
    return make_float4(smoothstep(a.x, b.x, x.x), smoothstep(a.y, b.y, x.y), smoothstep(a.z, b.z, x.z), smoothstep(a.w, b.w, x.w));
}
#undef CASS_EACH1
#undef CASS_EACH2
#undef CASS_SMALLER
#undef CASS_LARGER
#undef CASS_MAGNITUDE
#undef CASS_FN
