// helper: versions and the texts of errors
#include <cudnn.h>

const char *version(cudnnStatus_t status)
{
    if (cudnnGetVersion() == 0) return "";
    return cudnnGetErrorString(status);
}
