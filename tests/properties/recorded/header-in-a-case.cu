#include <cufft.h>

const char *text(cufftResult code) {
  switch (code) {
  case CUFFT_SUCCESS:
    return "success";
  case CUFFT_NVRTC_FAILURE:
    return "run-time compilation";
  case CUFFT_MISSING_DEPENDENCY:
#include <helper_cuda.h>
    return "missing library";
  default:
    return "unknown";
  }
}