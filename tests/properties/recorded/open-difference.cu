#include <cuda.h>
void copy(CUdeviceptr data, CUdeviceptr end)
{
    int bytes = data -