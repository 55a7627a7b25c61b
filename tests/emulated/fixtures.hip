// The fixtures of fixes that compute something, translated: each in a namespace of its own (`fixtures.rs` writes them), against scalar
// references here. Numbers that a kernel gives back are looked at on the host.
#include "fixtures.hpp"
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

// `count` elements on the device: those given, the others 0.
template <typename T> T* device_copy(const std::vector<std::common_type_t<T>>& values, size_t count = 0)
{
    count = std::max(count, values.size());
    T* memory;
    HIP(hipMalloc(reinterpret_cast<void**>(&memory), count * sizeof(T)));
    HIP(hipMemset(memory, 0, count * sizeof(T)));
    HIP(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
    return memory;
}
template <typename T> T* device_copy(const std::vector<T>& values) { return device_copy<T>(values, values.size()); }

template <typename T> std::vector<T> host_copy(const T* memory, size_t count)
{
    HIP(hipDeviceSynchronize());
    std::vector<T> values(count);
    HIP(hipMemcpy(values.data(), memory, count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
}

static unsigned long long compared, different;
static void compare(const char* what, double found, double expected, bool holds)
{
    ++compared;
    if (!holds && ++different <= 40)
        printf("%s: %.17g instead of %.17g\n", what, found, expected);
}
template <typename A, typename B> void same(const char* what, A found, B expected)
{
    compare(what, found, expected, static_cast<double>(found) == static_cast<double>(expected));
}
static void near(const char* what, double found, double expected)
{
    compare(what, found, expected, std::fabs(found - expected) <= 1e-6 * (1 + std::fabs(expected)));
}

#include "fixtures/warp.hpp"
#include "fixtures/groups.hpp"
#include "fixtures/arithmetic.hpp"
#include "fixtures/memory.hpp"
#include "fixtures/assembly.hpp"

int main()
{
    warp_fixtures();
    group_fixtures();
    arithmetic_fixtures();
    memory_fixtures();
    assembly_fixtures();
    printf("%llu comparisons on the host, %llu differ\n", compared, different);
    return finish(256 * 10) || different || compared < 1000;
}
