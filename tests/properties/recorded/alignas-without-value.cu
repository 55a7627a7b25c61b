__global__ void standard() { __shared_{ __shared__ alignas}
__global__ void cuda_ali// cass: ignore-next-line[api]
har a[128 * 1024]; }
__global__ vo