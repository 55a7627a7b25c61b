// Uses the replacements of the CUDA samples' helper headers as a sample does.
#include "cass_hip_compat.hpp"

__global__ void vectors(float3* a, float4* b, int2* c, float* out)
{
    unsigned i = threadIdx.x;
    float3 n = normalize(cross(a[i], make_float3(b[i]))) * 2.0f + make_float3(1) - make_float3(0.0f, 1.0f, 2.0f);
    n += a[i];
    n *= 0.5f;
    float4 m = lerp(make_float4(n, 1.0f), b[i], 0.5f) / 3.0f + make_float4(0.0f);
    int2 k = clamp(c[i], 0, 5) + make_int2(3) + make_int2(make_float2(1.5f));
    out[i] = dot(n, a[i]) + length(m) + smoothstep(0.0f, 1.0f, m.x) + fracf(m.y) + k.x + max(c[i], k).y + reflect(n, a[i]).x;
    b[i] = fmaxf(m, fminf(b[i], clamp(m, 0, 1)));
    a[i] = floorf(fabs(-n)) + fmodf(n, a[i]) + make_float3(make_uint3(7));
    c[i] = abs(min(c[i], k)) + make_int2(make_uint2(1));
}

int main(int argc, char** argv)
{
    int device = findCudaDevice(argc, (const char**)argv);
    float* p = NULL;
    checkCudaErrors(hipMalloc(&p, 4 * MAX(1, device)));
    vectors<<<1, 64>>>(NULL, NULL, NULL, p);
    getLastCudaError("vectors failed");
    StopWatchInterface* timer = NULL;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    sdkStopTimer(&timer);
    float3 host = normalize(make_float3(1.0f, 2.0f, 3.0f)) * 2.0f;
    printf("%f %f %d\n", sdkGetTimerValue(&timer), host.x, ftoi(1.5f));
    sdkDeleteTimer(&timer);
    char* path = sdkFindFilePath("x.dat", argv[0]);
    free(path);
    unsigned char* image = NULL;
    float* plane = NULL;
    unsigned int w = 0, h = 0, n = 0;
    bool fine = sdkLoadPPM4(argv[1], &image, &w, &h) && sdkSavePPM4ub("o.ppm", image, w, h) && sdkLoadPGM(argv[1], &plane, &w, &h);
    fine = fine && sdkSavePGM("o.pgm", plane, w, h) && sdkReadFile("r.txt", &plane, &n, true) && sdkWriteFile("w.txt", plane, n, 0.0f, true);
    fine = fine && sdkComparePPM("a.ppm", "b.ppm", 5.0f, 0.1f, true) && sdkComparePGM("a.pgm", "b.pgm", 5.0f, 0.1f, true);
    fine = fine && sdkCompareBin2BinFloat("a", "b", n, 0.1f, 0.1f, argv[0]) && sdkCompareBin2BinUint("a", "b", n, 0.1f, 0.1f, argv[0]);
    if (!fine) RUNTIME_EXCEPTION("no image");
    int warp = 0;
    getCudaAttribute<int>(&warp, hipDeviceAttributeWarpSize, findCudaDeviceDRV(argc, (const char**)argv));
    return checkCudaCapabilities(8, 0) && gpuDeviceInit(0) >= 0 ? EXIT_SUCCESS : EXIT_WAIVED;
}
