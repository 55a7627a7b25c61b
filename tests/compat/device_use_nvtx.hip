// Uses the events of NVTX on the host, as a profiled program does.
#include "cass_hip_compat.hpp"

void profile(const char* text, hipStream_t stream, hipEvent_t done)
{
    cass_nvtxNameCudaStreamA(stream, text), cass_nvtxNameCudaStream(stream, text);
    cass_nvtxNameCudaEventA(done, text), cass_nvtxNameCudaEvent(done, text);
    cass_nvtxNameCudaDeviceA(0, text), cass_nvtxNameCudaDevice(0, text);
    cass_nvtxNameCategoryA(1u, text), cass_nvtxNameCategory(1u, text);
    cass_nvtxNameOsThreadA(1u, text), cass_nvtxNameOsThread(1u, text);
    cass_nvtxEventAttributes_t event = {};
    event.version = cass_NVTX_VERSION;
    event.size = cass_NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.colorType = cass_NVTX_COLOR_ARGB;
    event.color = 0xff00ff00;
    event.payloadType = cass_NVTX_PAYLOAD_TYPE_DOUBLE;
    event.payload.dValue = 1.5;
    event.messageType = cass_NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = text;
    cass_nvtxRangePushEx(&event);
    roctxRangePop();
    roctxRangeStop(cass_nvtxRangeStartEx(&event));
    cass_nvtxMarkEx(&event);
    cass_nvtxDomainHandle_t domain = cass_nvtxDomainCreateA(text);
    event.messageType = cass_NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = cass_nvtxDomainRegisterStringA(domain, text);
    cass_nvtxDomainRangePushEx(domain, &event);
    cass_nvtxDomainRangePop(domain);
    cass_nvtxDomainRangeEnd(domain, cass_nvtxDomainRangeStartEx(domain, &event));
    cass_nvtxDomainMarkEx(domain, &event);
    cass_nvtxDomainDestroy(domain);
}
