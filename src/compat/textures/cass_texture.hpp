// name: cass_texture
// provides: cass_texture
// replaces:
// includes: climits
// summary: A texture reference on linear memory: tex1Dfetch through it is an ordinary load, and zero outside of what is bound.
// source: CUDA C++ Programming Guide 11.8, texture reference API; what tex1Dfetch gives was read off an NVIDIA GPU
template <typename CassT, int CassDimensions = hipTextureType1D, hipTextureReadMode CassMode = hipReadModeElementType>
struct cass_texture {
    const CassT* data;
    unsigned elements;
    // Programs set these; a fetch from linear memory heeds none of them.
    int normalized;
    hipTextureFilterMode filterMode;
    hipTextureAddressMode addressMode[3];
    hipChannelFormatDesc channelDesc;
};

// The fraction of its range that a number of 8 or 16 bits stands for.
__device__ inline float cass_fraction(unsigned char v, int, int) { return v / 255.0f; }
__device__ inline float cass_fraction(signed char v, int, int) { return fmaxf(v / 127.0f, -1.0f); }
__device__ inline float cass_fraction(char v, int, int) { return cass_fraction(static_cast<signed char>(v), 0, 0); }
__device__ inline float cass_fraction(unsigned short v, int, int) { return v / 65535.0f; }
__device__ inline float cass_fraction(short v, int, int) { return fmaxf(v / 32767.0f, -1.0f); }
// Of one, two and four such numbers: of the vectors that have the members, the longest fits best.
template <typename CassV>
__device__ inline auto cass_fraction(const CassV& v, long, long) -> decltype(make_float1(cass_fraction(v.x, 0, 0)))
{
    return make_float1(cass_fraction(v.x, 0, 0));
}
template <typename CassV>
__device__ inline auto cass_fraction(const CassV& v, int, long) -> decltype(make_float2(cass_fraction(v.x, 0, 0), cass_fraction(v.y, 0, 0)))
{
    return make_float2(cass_fraction(v.x, 0, 0), cass_fraction(v.y, 0, 0));
}
template <typename CassV>
__device__ inline auto cass_fraction(const CassV& v, int, int) -> decltype(make_float4(cass_fraction(v.x, 0, 0), 0, 0, cass_fraction(v.w, 0, 0)))
{
    return make_float4(cass_fraction(v.x, 0, 0), cass_fraction(v.y, 0, 0), cass_fraction(v.z, 0, 0), cass_fraction(v.w, 0, 0));
}

template <typename CassT, hipTextureReadMode CassMode>
__device__ inline CassT cass_texel(const cass_texture<CassT, hipTextureType1D, CassMode>& texture, int index)
{
    return static_cast<unsigned>(index) < texture.elements ? texture.data[index] : CassT();
}
template <typename CassT>
__device__ inline CassT tex1Dfetch(const cass_texture<CassT, hipTextureType1D, hipReadModeElementType>& texture, int index)
{
    return cass_texel(texture, index);
}
template <typename CassT>
__device__ inline auto tex1Dfetch(const cass_texture<CassT, hipTextureType1D, hipReadModeNormalizedFloat>& texture, int index) -> decltype(cass_fraction(CassT(), 0, 0))
{
    return cass_fraction(cass_texel(texture, index), 0, 0);
}

// The variable is __constant__: a kernel sees what the host last copied there. Its address on the host names it.
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t cass_bind(const cass_texture<CassT, hipTextureType1D, CassMode>& texture, const void* data, size_t bytes)
{
    size_t elements = bytes / sizeof(CassT);
    cass_texture<CassT, hipTextureType1D, CassMode> bound = {};
    bound.data = static_cast<const CassT*>(data);
    bound.elements = static_cast<unsigned>(elements < INT_MAX ? elements : INT_MAX);
    return hipMemcpyToSymbol(texture, &bound, sizeof(bound));
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipBindTexture(size_t* offset, const cass_texture<CassT, hipTextureType1D, CassMode>& texture, const void* data, size_t bytes = UINT_MAX)
{
    // No address needs to be aligned.
    if (offset)
        *offset = 0;
    return cass_bind(texture, data, bytes);
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipBindTexture(size_t* offset, const cass_texture<CassT, hipTextureType1D, CassMode>& texture, const void* data, const hipChannelFormatDesc& channels, size_t bytes = UINT_MAX)
{
    // Elements of another size than T, halves read as float, are converted by texture hardware alone.
    if (static_cast<size_t>(channels.x + channels.y + channels.z + channels.w) != 8 * sizeof(CassT))
        return hipErrorInvalidChannelDescriptor;
    return hipBindTexture(offset, texture, data, bytes);
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipBindTexture(size_t* offset, const cass_texture<CassT, hipTextureType1D, CassMode>* texture, const void* data, const hipChannelFormatDesc* channels, size_t bytes = UINT_MAX)
{
    return hipBindTexture(offset, *texture, data, *channels, bytes);
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipUnbindTexture(const cass_texture<CassT, hipTextureType1D, CassMode>& texture)
{
    return cass_bind(texture, nullptr, 0);
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipUnbindTexture(const cass_texture<CassT, hipTextureType1D, CassMode>* texture)
{
    return hipUnbindTexture(*texture);
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipGetTextureAlignmentOffset(size_t* offset, const cass_texture<CassT, hipTextureType1D, CassMode>&)
{
    *offset = 0;
    return hipSuccess;
}
template <typename CassT, hipTextureReadMode CassMode>
inline hipError_t hipGetTextureAlignmentOffset(size_t* offset, const cass_texture<CassT, hipTextureType1D, CassMode>* texture)
{
    return hipGetTextureAlignmentOffset(offset, *texture);
}
