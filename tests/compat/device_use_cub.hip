// Ends a program where a call failed.
#include "cass_hip_compat.hpp"

void stop_at_errors()
{
    cass_CubDebugExit(hipGetLastError());
}
