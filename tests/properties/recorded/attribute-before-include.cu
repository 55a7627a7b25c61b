__grid_constant__
#include <helper_cuda.h>
cudaMalloc