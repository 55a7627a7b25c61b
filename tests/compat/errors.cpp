// helpers: cass_error
//
// On the host HIP's functions answer; on the device there is no last error, and the commonest codes have a text.
#include "host_shim.hpp"
#include <string>

enum hipError_t {
    hipSuccess = 0,
    hipErrorInvalidValue = 1,
    hipErrorOutOfMemory = 2,
    hipErrorInvalidConfiguration = 9,
    hipErrorLaunchFailure = 719,
    hipErrorNotSupported = 801,
    hipErrorUnknown = 999
};
static hipError_t last = hipSuccess;
inline const char* hipGetErrorString(hipError_t) { return "text of the host"; }
inline const char* hipGetErrorName(hipError_t) { return "name of the host"; }
inline hipError_t hipPeekAtLastError() { return last; }
inline hipError_t hipGetLastError()
{
    hipError_t error = last;
    last = hipSuccess;
    return error;
}

namespace on_host {
#include "helpers.hpp"
}
#undef CASS_HELPER_CASS_ERROR
#define __HIP_DEVICE_COMPILE__ 1
namespace on_device {
#include "helpers.hpp"
}

int main()
{
    last = hipErrorOutOfMemory;
    CHECK(on_device::cass_last_error() == hipSuccess && on_device::cass_peek_last_error() == hipSuccess);
    CHECK(on_host::cass_peek_last_error() == hipErrorOutOfMemory);
    CHECK(on_host::cass_last_error() == hipErrorOutOfMemory && on_host::cass_last_error() == hipSuccess);
    CHECK(on_host::cass_error_string(hipSuccess) == std::string("text of the host"));
    CHECK(on_host::cass_error_name(hipSuccess) == std::string("name of the host"));
    CHECK(on_device::cass_error_string(hipSuccess) == std::string("no error"));
    CHECK(on_device::cass_error_string(hipErrorOutOfMemory) == std::string("out of memory"));
    CHECK(on_device::cass_error_string(hipErrorUnknown) != std::string("no error"));
    CHECK(on_device::cass_error_name(hipErrorLaunchFailure) == std::string("hipErrorLaunchFailure"));
    CHECK(on_device::cass_error_name(hipErrorUnknown) == std::string("hipErrorUnknown"));
    return finish();
}
