// helpers: cass_nvtx_domain, cass_nvtx_event, cass_nvtx_name
//
// The text of an event reaches roctx, and nothing else does; names of streams and their kind reach nobody.
#include "host_shim.hpp"
#include <string>

using roctx_range_id_t = unsigned long;
static std::string said;
inline void roctxMarkA(const char* text) { said = std::string("mark ") + text; }
inline int roctxRangePushA(const char* text) { return said = std::string("push ") + text, 4; }
inline roctx_range_id_t roctxRangeStartA(const char* text) { return said = std::string("start ") + text, 9; }
inline int roctxRangePop() { return said = "pop", 3; }
inline void roctxRangeStop(roctx_range_id_t range) { said = "stop " + std::to_string(range); }
#include "helpers.hpp"

int main()
{
    cass_nvtxEventAttributes_t event = {};
    event.version = cass_NVTX_VERSION;
    event.size = cass_NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.colorType = cass_NVTX_COLOR_ARGB;
    event.color = 0xff00ff00;
    CHECK(event.size == sizeof(event));
    CHECK(cass_nvtxRangePushEx(&event) == 4 && said == "push ");
    event.messageType = cass_NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "solve";
    CHECK(cass_nvtxRangePushEx(&event) == 4 && said == "push solve");
    CHECK(cass_nvtxRangeStartEx(&event) == 9 && said == "start solve");
    cass_nvtxMarkEx(&event);
    CHECK(said == "mark solve");
    cass_nvtxMarkEx(nullptr);
    CHECK(said == "mark ");
    cass_nvtxNameCudaStreamA(&event, "stream"), cass_nvtxNameCudaStream(&event, "stream");
    cass_nvtxNameCudaEventA(&event, "event"), cass_nvtxNameCudaEvent(&event, "event");
    cass_nvtxNameCudaDeviceA(0, "device"), cass_nvtxNameCudaDevice(0, "device");
    cass_nvtxNameCategoryA(1u, "category"), cass_nvtxNameCategory(1u, "category");
    cass_nvtxNameOsThreadA(1u, "thread"), cass_nvtxNameOsThread(1u, "thread");
    CHECK(said == "mark ");

    char text[] = "phase";
    cass_nvtxDomainHandle_t domain = cass_nvtxDomainCreateA("solver");
    cass_nvtxStringHandle_t registered = cass_nvtxDomainRegisterStringA(domain, text);
    text[0] = 'x';
    event.messageType = cass_NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = registered;
    CHECK(cass_nvtxDomainRangePushEx(domain, &event) == 4 && said == "push phase");
    CHECK(cass_nvtxDomainRangePop(domain) == 3 && said == "pop");
    CHECK(cass_nvtxDomainRangeStartEx(domain, &event) == 9 && said == "start phase");
    cass_nvtxDomainRangeEnd(domain, 9);
    CHECK(said == "stop 9");
    cass_nvtxDomainMarkEx(domain, &event);
    CHECK(said == "mark phase");
    event.messageType = cass_NVTX_MESSAGE_TYPE_UNICODE;
    event.message.unicode = L"wide";
    cass_nvtxDomainMarkEx(domain, &event);
    CHECK(said == "mark ");
    event.messageType = cass_NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = cass_nvtxDomainRegisterString(domain, nullptr);
    cass_nvtxDomainMarkEx(domain, &event);
    CHECK(said == "mark ");
    cass_nvtxDomainNameCategoryA(domain, 1, "category"), cass_nvtxDomainDestroy(domain);
    return finish();
}
