// helpers: cass_cub_debug_exit
//
// A call that worked goes on; one that failed ends the program with exit status 1, as CUB's macro does.
#include "host_shim.hpp"
#include <unistd.h>

enum hipError_t { hipSuccess = 0, hipErrorInvalidValue = 1 };
inline const char* hipGetErrorString(hipError_t) { return "invalid argument"; }
#include "helpers.hpp"

int main()
{
    int calls = 0;
    auto call = [&](hipError_t error) { return ++calls, error; };
    cass_CubDebugExit(call(hipSuccess));
    CHECK(calls == 1);
    // What the macro ends with cannot be read here: only that it ends at once, and not by returning.
    std::atexit([] { _exit(failures != 0); });
    cass_CubDebugExit(call(hipErrorInvalidValue));
    _exit(1);
}
