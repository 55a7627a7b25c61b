// name: cass_shf
// provides: cass_shf_l_wrap, cass_shf_l_clamp, cass_shf_r_wrap, cass_shf_r_clamp
// replaces: shf.l.wrap.b32, shf.l.clamp.b32, shf.r.wrap.b32, shf.r.clamp.b32
// summary: Funnel shifts of two words, low word first, with the distance modulo 32 (wrap) or at most 32 (clamp).
// source: PTX ISA 8.7, shf
// nvidia: same
__host__ __device__ inline unsigned cass_shf_left(unsigned low, unsigned high, unsigned distance)
{
    unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both << distance >> 32);
}
__host__ __device__ inline unsigned cass_shf_right(unsigned low, unsigned high, unsigned distance)
{
    unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both >> distance);
}
__host__ __device__ inline unsigned cass_shf_l_wrap(unsigned low, unsigned high, unsigned distance)
{
    return cass_shf_left(low, high, distance & 31);
}
__host__ __device__ inline unsigned cass_shf_l_clamp(unsigned low, unsigned high, unsigned distance)
{
    return cass_shf_left(low, high, distance < 32 ? distance : 32);
}
__host__ __device__ inline unsigned cass_shf_r_wrap(unsigned low, unsigned high, unsigned distance)
{
    return cass_shf_right(low, high, distance & 31);
}
__host__ __device__ inline unsigned cass_shf_r_clamp(unsigned low, unsigned high, unsigned distance)
{
    return cass_shf_right(low, high, distance < 32 ? distance : 32);
}
