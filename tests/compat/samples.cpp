// helpers: helper_cuda, helper_cuda_drvapi, helper_math, helper_string, helper_timer, helper_functions, helper_image, helper_compare, helper_exception
//
// The replacements of the CUDA samples' helper headers, used as a sample uses them.
#include "host_shim.hpp"
#include "hip_shim.hpp"
#include "helpers.hpp"
#include <initializer_list>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Exit status of a child process that calls `body`, and what it wrote to stderr.
template <typename F> int status_of(F body, std::string* text = nullptr)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        body();
        _exit(99);
    }
    close(ends[1]);
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
        if (text)
            text->append(buffer, static_cast<size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static void command_line()
{
    const char* argv[] = {"./program", "--Quick", "-n=12", "-file=a b.txt", "size=7", "-n=13", "--scale=2.5", "-devicex=4"};
    int argc = sizeof(argv) / sizeof(argv[0]);
    CHECK(checkCmdLineFlag(argc, argv, "quick") && checkCmdLineFlag(argc, argv, "N") && checkCmdLineFlag(argc, argv, "size"));
    CHECK(!checkCmdLineFlag(argc, argv, "qui") && !checkCmdLineFlag(argc, argv, "device") && !checkCmdLineFlag(argc, argv, "program"));
    CHECK(getCmdLineArgumentInt(argc, argv, "n") == 13 && getCmdLineArgumentInt(argc, argv, "n=") == 13);
    CHECK(getCmdLineArgumentInt(argc, argv, "size") == 7 && getCmdLineArgumentInt(argc, argv, "missing") == 0);
    CHECK(getCmdLineArgumentFloat(argc, argv, "scale") == 2.5f && getCmdLineArgumentFloat(argc, argv, "missing") == 0.0f);
    char* text = nullptr;
    CHECK(getCmdLineArgumentString(argc, argv, "file", &text) && strcmp(text, "a b.txt") == 0);
    CHECK(!getCmdLineArgumentString(argc, argv, "missing", &text) && text == nullptr);
    double value = 1;
    CHECK(getCmdLineArgumentValue(argc, argv, "scale", &value) && value == 2.5);
    CHECK(!getCmdLineArgumentValue(argc, argv, "missing", &value) && value == 2.5);
}

static void find_file()
{
    mkdir("data", 0777);
    mkdir("bin", 0777);
    std::ofstream("data/found.txt") << "x";
    std::ofstream("bin/beside.txt") << "x";
    std::ofstream("bin/found.txt") << "x";
    char* path = sdkFindFilePath("found.txt", "bin/program");
    CHECK(path && strcmp(path, "./data/found.txt") == 0);
    free(path);
    path = sdkFindFilePath("beside.txt", "bin/program");
    CHECK(path && strcmp(path, "bin/beside.txt") == 0);
    free(path);
    path = sdkFindFilePath("found.txt", nullptr);
    CHECK(path != nullptr);
    free(path);
    CHECK(sdkFindFilePath("nowhere-to-be-found.txt", "program") == nullptr);
}

static void timer()
{
    StopWatchInterface* timer = nullptr;
    CHECK(sdkGetTimerValue(&timer) == 0.0f && sdkStartTimer(&timer));
    CHECK(sdkCreateTimer(&timer) && timer && sdkGetTimerValue(&timer) == 0.0f && sdkGetAverageTimerValue(&timer) == 0.0f);
    for (int i = 0; i < 2; ++i) {
        sdkStartTimer(&timer);
        usleep(3000);
        sdkStopTimer(&timer);
    }
    float total = sdkGetTimerValue(&timer);
    CHECK(total >= 6.0f && total < 5000.0f && sdkGetTimerValue(&timer) == total);
    CHECK(std::fabs(sdkGetAverageTimerValue(&timer) - total / 2) < 0.01f);
    sdkStartTimer(&timer);
    usleep(2000);
    CHECK(sdkGetTimerValue(&timer) >= total + 2.0f);
    sdkStopTimer(&timer);
    sdkResetTimer(&timer);
    CHECK(sdkGetTimerValue(&timer) == 0.0f && sdkGetAverageTimerValue(&timer) == 0.0f);
    CHECK(sdkDeleteTimer(&timer) && timer == nullptr);
}

static void devices()
{
    std::string text;
    CHECK(status_of([] { checkCudaErrors(hipErrorInvalidValue); }, &text) == EXIT_FAILURE);
    CHECK(text.find("code=1(hipErrorInvalidValue) \"hipErrorInvalidValue\"") != std::string::npos);
    CHECK(status_of([] { checkCudaErrors(hipSuccess), checkCudaErrors(0), getLastCudaError("fine"); }) == 99);
    CHECK(status_of([] { enum { failed = 14 } status = failed; checkCudaErrors(status); }) == EXIT_FAILURE);
    text.clear();
    CHECK(status_of([] { shim_last = hipErrorInvalidValue; getLastCudaError("the kernel"); }, &text) == EXIT_FAILURE);
    CHECK(text.find("the kernel") != std::string::npos && text.find("invalid argument") != std::string::npos);
    CHECK(status_of([] { shim_last = hipErrorInvalidValue; printLastCudaError("the kernel"); }) == 99);

    // 100 compute units of 64 lanes lose against 60 processors of 128; the prohibited device is never chosen.
    CHECK(gpuGetMaxGflopsDeviceId() == 1);
    const char* plain[] = {"p"};
    const char* chosen[] = {"p", "-device=0"};
    const char* missing[] = {"p", "-device=5"};
    CHECK(findCudaDevice(1, plain) == 1 && shim_current == 1);
    CHECK(findCudaDevice(2, chosen) == 0 && shim_current == 0);
    CHECK(status_of([&] { findCudaDevice(2, missing); }) == EXIT_FAILURE);
    CHECK(gpuDeviceInit(-4) == 0 && gpuDeviceInit(5) == -5 && gpuDeviceInit(2) == -1);
    CHECK(findIntegratedGPU() == 1 && checkCudaCapabilities(99, 0));
    CHECK(status_of([] { shim_count = 0; gpuGetMaxGflopsDeviceId(); }) == EXIT_FAILURE);
    CHECK(findCudaDeviceDRV(1, plain) == 1 && gpuDeviceInitDRV(2, chosen) == 0 && gpuGetMaxGflopsDeviceIdDRV() == 1 && shim_inits == 3);
    CHECK(findIntegratedGPUDrv() == 1 && checkCudaCapabilitiesDRV(1, 0, 0) && shim_current == 0);
    size_t warp = 0;
    getCudaAttribute(&warp, hipDeviceAttributeWarpSize, 0);
    CHECK(warp == 64 && _ConvertSMVer2Cores(9, 4) == 64 && strcmp(_ConvertSMVer2ArchName(11, 0), "RDNA 3") == 0);
    CHECK(ftoi(1.5f) == 2 && ftoi(-1.5f) == -2 && MAX(1, 2) == 2 && MIN(1, 2) == 1 && EXIT_WAIVED == 2);
}

static void images()
{
    unsigned char pixels[2 * 3 * 4];
    for (unsigned i = 0; i < sizeof(pixels); ++i)
        pixels[i] = static_cast<unsigned char>(i * 10);
    CHECK(sdkSavePPM4ub("a.ppm", pixels, 2, 3));
    unsigned char* loaded = nullptr;
    unsigned int w = 0, h = 0, n = 0;
    CHECK(sdkLoadPPM4ub("a.ppm", &loaded, &w, &h) && w == 2 && h == 3);
    for (unsigned i = 0; i < sizeof(pixels); ++i)
        CHECK(loaded[i] == (i % 4 == 3 ? 0 : pixels[i]));
    CHECK(sdkLoadPPM4("a.ppm", &loaded, &w, &h)); // Into the buffer of the right size.
    w = 3;
    CHECK(!sdkLoadPPM4ub("a.ppm", &loaded, &w, &h)); // A buffer of another size is refused.
    free(loaded);
    loaded = nullptr;
    CHECK(sdkLoadPPMub("a.ppm", &loaded, &w, &h) && loaded[3] == pixels[4]);
    CHECK(sdkSavePPMub("b.ppm", loaded, w, h) && sdkComparePPM("a.ppm", "b.ppm", 0.0f, 0.0f, true));
    loaded[0] ^= 0x40;
    CHECK(sdkSavePPMub("b.ppm", loaded, w, h) && !sdkComparePPM("a.ppm", "b.ppm", 1.0f, 0.0f, false));
    CHECK(sdkComparePPM("a.ppm", "b.ppm", 1.0f, 0.5f, true) && sdkComparePPM("a.ppm", "b.ppm", 100.0f, 0.0f, true));
    free(loaded);

    float plane[6] = {0, 0.2f, 0.4f, 0.6f, 0.8f, 1}, *read = nullptr;
    CHECK(sdkSavePGM("a.pgm", plane, 3, 2) && sdkLoadPGM("a.pgm", &read, &w, &h) && w == 3 && h == 2);
    for (unsigned i = 0; i < 6; ++i)
        CHECK(std::fabs(read[i] - plane[i]) < 1 / 250.0f);
    free(read);
    read = nullptr;
    CHECK(sdkComparePGM("a.pgm", "a.pgm", 0.0f, 0.0f, true) && !sdkLoadPGM("a.ppm", &read, &w, &h) && !sdkLoadPGM("none", &read, &w, &h));
    std::ofstream("c.pgm") << "P5\n# a comment\n# another\n 2 1 # and one more\n255\nAB";
    unsigned char* bytes = nullptr;
    CHECK(sdkLoadPGM("c.pgm", &bytes, &w, &h) && w == 2 && h == 1 && bytes[0] == 'A' && bytes[1] == 'B');
    free(bytes);
    bytes = nullptr;
    std::ofstream("d.pgm") << "P5 9 9 255 short";
    CHECK(!sdkLoadPGM("d.pgm", &bytes, &w, &h) && bytes == nullptr);

    CHECK(sdkWriteFile("v.txt", plane, 3, 0.5f, true) && sdkWriteFile("v.txt", plane + 3, 3, 0.5f, true, true));
    CHECK(sdkReadFile("v.txt", &read, &n, true) && n == 6 && read[1] == 0.2f && read[5] == 1.0f);
    n = 2;
    CHECK(!sdkReadFile("v.txt", &read, &n, false) && !sdkReadFile("none", &read, &n, false));
    free(read);
}

static void comparisons()
{
    float a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4.5f}, zero[4] = {};
    CHECK(compareData(a, b, 4, 0.5f, 0.0f) && !compareData(a, b, 4, 0.4f, 0.0f) && compareData(a, b, 4, 0.4f, 0.3f) && !compareData(a, b, 4, 0.4f, 0.25f));
    CHECK(compareDataAsFloatThreshold(a, b, 4, 0.6f, 0.0f) && !compareDataAsFloatThreshold(a, b, 4, 0.5f, 0.0f));
    float close[4] = {1.0005f, 2, 3, 4};
    CHECK(compareDataAsFloatThreshold(a, close, 4, 0.0f, 0.0f));
    float nan[4] = {NAN, 2, 3, 4};
    CHECK(!compareData(a, nan, 4, 9.0f, 0.0f) && !sdkCompareL2fe(a, nan, 4, 9.0f));
    // The error is 0.5 against a norm of sqrt(30).
    CHECK(sdkCompareL2fe(a, b, 4, 0.092f) && !sdkCompareL2fe(a, b, 4, 0.091f) && !sdkCompareL2fe(zero, a, 4, 9.0f));
    sdkDumpBin(a, sizeof(a), "a.bin");
    sdkDumpBin(b, sizeof(b), "b.bin");
    char program[] = "p";
    CHECK(sdkCompareBin2BinFloat("a.bin", "a.bin", 4, 0.0f, 0.0f, program) && !sdkCompareBin2BinFloat("a.bin", "b.bin", 4, 0.1f, 0.0f, program));
    CHECK(sdkCompareBin2BinFloat("a.bin", "b.bin", 3, 0.0f, 0.0f, program) && !sdkCompareBin2BinFloat("a.bin", "b.bin", 5, 9.0f, 0.0f, program));
    CHECK(sdkCompareBin2BinUint("a.bin", "a.bin", 4, 0.0f, 0.0f, program) && !sdkCompareBin2BinUint("a.bin", "none.bin", 4, 0.0f, 0.0f, program));
    int caught = 0;
    try {
        RUNTIME_EXCEPTION("broken");
    } catch (const std::runtime_error& e) {
        caught += strstr(e.what(), "broken") && strstr(e.what(), "samples.cpp");
    }
    try {
        LOGIC_EXCEPTION("broken");
    } catch (const std::logic_error&) {
        ++caught;
    }
    try {
        RANGE_EXCEPTION("broken");
    } catch (const std::range_error& e) {
        ++caught;
        CHECK(status_of([&] { handleException(e); }) == EXIT_FAILURE);
    }
    CHECK(caught == 3);
}

static bool is(float2 v, float x, float y) { return v.x == x && v.y == y; }
static bool is(float3 v, float x, float y, float z) { return v.x == x && v.y == y && v.z == z; }
static bool is(float4 v, float x, float y, float z, float w) { return v.x == x && v.y == y && v.z == z && v.w == w; }
static bool is(int2 v, int x, int y) { return v.x == x && v.y == y; }
static bool is(int3 v, int x, int y, int z) { return v.x == x && v.y == y && v.z == z; }
static bool is(int4 v, int x, int y, int z, int w) { return v.x == x && v.y == y && v.z == z && v.w == w; }
static bool is(uint4 v, unsigned x, unsigned y, unsigned z, unsigned w) { return v.x == x && v.y == y && v.z == z && v.w == w; }

static void vectors()
{
    float3 a = make_float3(1.0f, -2.0f, 3.0f), b = make_float3(4.0f, 5.0f, -6.0f);
    CHECK(is(make_float2(2.0f), 2, 2) && is(make_float2(a), 1, -2) && is(make_float2(make_int2(3, -4)), 3, -4) && is(make_float2(make_uint2(3, 4)), 3, 4));
    CHECK(is(make_float3(2.0f), 2, 2, 2) && is(make_float3(make_float2(1, 2)), 1, 2, 0) && is(make_float3(make_float2(1, 2), 3.0f), 1, 2, 3));
    CHECK(is(make_float3(make_float4(1, 2, 3, 4)), 1, 2, 3) && is(make_float4(a), 1, -2, 3, 0) && is(make_float4(a, 9.0f), 1, -2, 3, 9));
    CHECK(is(make_int3(make_float3(1.9f, -1.9f, 0)), 1, -1, 0) && is(make_int4(make_uint4(1, 2, 3, 4)), 1, 2, 3, 4) && is(make_uint4(7u), 7, 7, 7, 7));
    CHECK(is(make_int2(make_int3(1, 2, 3)), 1, 2) && is(make_int4(make_int3(1, 2, 3), 4), 1, 2, 3, 4) && is(make_float4(make_int4(1, 2, 3, 4)), 1, 2, 3, 4));
    CHECK(is(fminf(a, b), 1, -2, -6) && is(fmaxf(a, b), 4, 5, 3) && is(fmodf(make_float2(7, -7), make_float2(4, 4)), 3, -3));
    CHECK(is(min(make_int3(1, -5, 3), make_int3(0, 2, 9)), 0, -5, 3) && is(max(make_uint4(1, ~0u, 3, 4), make_uint4(2, 1, 3, 5)), 2, ~0u, 3, 5));
    CHECK(is(floorf(make_float2(1.5f, -1.5f)), 1, -2) && is(fracf(make_float2(1.25f, -1.25f)), 0.25f, 0.75f) && fracf(2.5f) == 0.5f);
    CHECK(is(fabs(b), 4, 5, 6) && is(abs(make_int4(-1, 2, -3, 0)), 1, 2, 3, 0));
    CHECK(clamp(5.0f, 0.0f, 1.0f) == 1.0f && clamp(-5, -2, 2) == -2 && clamp(7u, 1u, 9u) == 7u);
    CHECK(is(clamp(b, -1.0f, 4.5f), 4, 4.5f, -1) && is(clamp(a, make_float3(0.0f), b), 1, 0, -6) == false);
    CHECK(is(clamp(make_int2(9, -9), 0, 5), 5, 0) && is(clamp(make_uint4(0, 5, 9, 7), make_uint4(6u), make_uint4(8u)), 6, 6, 8, 7));
    CHECK(dot(a, b) == 4 - 10 - 18 && dot(make_int4(1, 2, 3, 4), make_int4(1, 1, -1, 2)) == 8 && dot(make_uint2(3, 4), make_uint2(5, 6)) == 39u);
    CHECK(is(cross(a, b), -2.0f * -6.0f - 3.0f * 5.0f, 3.0f * 4.0f - 1.0f * -6.0f, 1.0f * 5.0f + 2.0f * 4.0f) && dot(cross(a, b), a) == 0.0f);
    CHECK(length(make_float2(3, 4)) == 5.0f && length(make_float4(1, 1, 1, 1)) == 2.0f);
    float3 unit = normalize(b);
    CHECK(std::fabs(length(unit) - 1) < 1e-6f && std::fabs(unit.x * length(b) - 4) < 1e-5f);
    CHECK(std::fabs(length(normalize(make_float2(3, 4))) - 1) < 1e-6f && std::fabs(length(normalize(make_float4(1, 2, 3, 4))) - 1) < 1e-6f);
    CHECK(lerp(2.0f, 4.0f, 0.25f) == 2.5f && is(lerp(a, b, 0.5f), 2.5f, 1.5f, -1.5f) && is(lerp(make_float4(0.0f), make_float4(4.0f), 0.25f), 1, 1, 1, 1));
    CHECK(is(reflect(make_float3(1, -1, 0), make_float3(0, 1, 0)), 1, 1, 0));
    CHECK(smoothstep(0.0f, 2.0f, 1.0f) == 0.5f && smoothstep(0.0f, 2.0f, 9.0f) == 1.0f);
    CHECK(is(smoothstep(make_float2(0.0f), make_float2(2.0f), make_float2(-1.0f, 0.5f)), 0, 0.25f * 0.25f * 2.5f));
}

int main()
{
    command_line();
    find_file();
    timer();
    devices();
    images();
    comparisons();
    vectors();
    return finish();
}
