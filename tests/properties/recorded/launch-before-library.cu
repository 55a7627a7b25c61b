k<<<1, 2>>>(x);
#include <cub/cub.cuh>
__nanosleep(100);