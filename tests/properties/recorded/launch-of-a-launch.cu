        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0)
        s[blockIdx.x] = v;
}

void by_attribute(const float *a, float *s, int m, int n)
{
    int device, lanes;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, device= 1024 / p.warpSize;
    row_sums<<<m / w<;
}

void by_property(const float *a, float *s, int m, int n)
{
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    dim3 block(p.warpSize, 4);
    int warps ));
    row_sums<<<m, lanes>>>(a, s, n)<<<m, lanes>>>(a, s, n)<<arps, block>