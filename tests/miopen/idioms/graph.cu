// error: the graph API
#include <cudnn.h>

void graph()
{
    cudnnBackendDescriptor_t d;
    cudnnBackendCreateDescriptor(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, &d);
}
