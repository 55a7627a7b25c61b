// helpers: cass_texture
//
// Texture references on linear memory: what a fetch gives inside and outside of what is bound, and how a program binds.
#include "host_shim.hpp"
#include <algorithm>
#include <climits>
#include <vector>

#define __constant__
#define hipTextureType1D 1
enum hipError_t { hipSuccess = 0, hipErrorInvalidChannelDescriptor = 911 };
enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat };
enum hipTextureFilterMode { hipFilterModePoint, hipFilterModeLinear };
enum hipTextureAddressMode { hipAddressModeWrap, hipAddressModeClamp };
enum hipChannelFormatKind { hipChannelFormatKindSigned, hipChannelFormatKindUnsigned, hipChannelFormatKindFloat };
struct hipChannelFormatDesc {
    int x, y, z, w;
    hipChannelFormatKind f;
};
// A symbol is named by its address; here it is the variable itself.
template <typename T> hipError_t hipMemcpyToSymbol(const T& symbol, const void* source, size_t bytes)
{
    memcpy(const_cast<void*>(static_cast<const void*>(&symbol)), source, bytes);
    return hipSuccess;
}
#include "helpers.hpp"

static __constant__ cass_texture<float> scalars;
static __constant__ cass_texture<int2, hipTextureType1D> pairs;
static __constant__ cass_texture<signed char> bytes;

static void elements()
{
    std::vector<float> data{1, 2, 3, 4, 5};
    size_t offset = 7;
    CHECK(hipBindTexture(&offset, scalars, data.data(), 4 * sizeof(float) + 3) == hipSuccess && offset == 0);
    for (int i = 0; i < 4; ++i)
        CHECK(tex1Dfetch(scalars, i) == data[i]);
    // An NVIDIA GPU gives zero for an element that is bound in part, and for all others.
    for (int i : {-1, 4, 5, INT_MIN, INT_MAX})
        CHECK(tex1Dfetch(scalars, i) == 0);
    std::vector<int2> more{{1, 2}, {3, 4}};
    CHECK(hipBindTexture(0, pairs, more.data(), hipChannelFormatDesc{32, 32, 0, 0, hipChannelFormatKindSigned}) == hipSuccess);
    CHECK(tex1Dfetch(pairs, 1).y == 4 && tex1Dfetch(pairs, -1).x == 0 && tex1Dfetch(pairs, -1).y == 0);
}

static void calls()
{
    float data[2] = {1, 2};
    hipChannelFormatDesc whole{32, 0, 0, 0, hipChannelFormatKindFloat}, half{16, 0, 0, 0, hipChannelFormatKindFloat};
    scalars.filterMode = hipFilterModeLinear;
    scalars.addressMode[0] = hipAddressModeClamp;
    scalars.normalized = 0;
    CHECK(hipBindTexture(0, scalars, data, whole, sizeof(data)) == hipSuccess && tex1Dfetch(scalars, 1) == 2);
    CHECK(hipUnbindTexture(scalars) == hipSuccess && tex1Dfetch(scalars, 1) == 0);
    CHECK(hipBindTexture(nullptr, &scalars, data, &whole) == hipSuccess && tex1Dfetch(scalars, 1) == 2);
    // What only texture hardware can read is refused, and what is bound stays.
    CHECK(hipBindTexture(0, scalars, data + 1, half, sizeof(data)) == hipErrorInvalidChannelDescriptor && tex1Dfetch(scalars, 0) == 1);
    size_t offset = 7;
    CHECK(hipGetTextureAlignmentOffset(&offset, scalars) == hipSuccess && offset == 0);
    offset = 7;
    CHECK(hipGetTextureAlignmentOffset(&offset, &scalars) == hipSuccess && offset == 0);
    CHECK(hipUnbindTexture(&scalars) == hipSuccess && tex1Dfetch(scalars, 0) == 0);
}

// A size that nobody gave is larger than any index of type int, but no index may be negative.
static void whole_memory()
{
    signed char data[3] = {10, 20, 30};
    CHECK(hipBindTexture(0, bytes, data + 2) == hipSuccess);
    CHECK(tex1Dfetch(bytes, 0) == 30 && tex1Dfetch(bytes, -2) == 0);
}

template <typename T> void fractions(float top)
{
    std::vector<T> data;
    for (long i = std::numeric_limits<T>::min(); i <= std::numeric_limits<T>::max(); ++i)
        data.push_back(static_cast<T>(i));
    cass_texture<T, 1, hipReadModeNormalizedFloat> texture{};
    CHECK(hipBindTexture(0, texture, data.data(), data.size() * sizeof(T)) == hipSuccess);
    for (size_t i = 0; i < data.size(); ++i)
        CHECK(tex1Dfetch(texture, static_cast<int>(i)) == std::max(data[i] / top, -1.0f));
    CHECK(tex1Dfetch(texture, -1) == 0 && tex1Dfetch(texture, static_cast<int>(data.size())) == 0);
}

int main()
{
    elements();
    calls();
    whole_memory();
    fractions<signed char>(127);
    fractions<char>(127);
    fractions<unsigned char>(255);
    fractions<short>(32767);
    fractions<unsigned short>(65535);
    cass_texture<uchar4, 1, hipReadModeNormalizedFloat> colours{};
    uchar4 colour = {0, 51, 255, 1};
    CHECK(hipBindTexture(0, colours, &colour, sizeof(colour)) == hipSuccess);
    float4 fetched = tex1Dfetch(colours, 0);
    CHECK(fetched.x == 0 && fetched.y == 0.2f && fetched.z == 1 && fetched.w == 1 / 255.0f);
    CHECK(tex1Dfetch(colours, 1).z == 0);
    return finish();
}
