// Uses every helper about errors on both sides.
#include "cass_hip_compat.hpp"

template <typename T>
__host__ __device__ inline T checked(T value)
{
    if (cass_peek_last_error() != hipSuccess || cass_last_error() != hipSuccess)
        printf("%s: %s\n", cass_error_name(cass_last_error()), cass_error_string(cass_last_error()));
    return value;
}

__global__ void errors(int* out) { *out = checked(*out); }
int on_the_host() { return checked(1); }
