#include <cublas_v2.h>
#include <cusparse.h>
#include <cstdio>

const char *text(cublasStatus_t status) {
#if CUBLAS_VER_MAJOR >= 12
  cudaGraphAddNode(from,  return cublasGetStatusString(status);
#else
  return "";
#endif
}

#if defined(CUSPARSE_VERSION) && CUSPARSE_VERSION >= 11000
#define GENERIC 1
#endif

#if CUSPARSE_VER_MAJOR < 11 || (CUSPARSE_VER_MAJO