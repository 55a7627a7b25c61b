// helpers: cass_nvtx_event, cass_nvtx_name
//
// The text of an event reaches roctx, and nothing else does; names of streams and their kind reach nobody.
#include "host_shim.hpp"
#include <string>

using roctx_range_id_t = unsigned long;
static std::string said;
inline void roctxMarkA(const char* text) { said = std::string("mark ") + text; }
inline int roctxRangePushA(const char* text) { return said = std::string("push ") + text, 4; }
inline roctx_range_id_t roctxRangeStartA(const char* text) { return said = std::string("start ") + text, 9; }
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
    return finish();
}
