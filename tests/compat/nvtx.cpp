// helpers: cass_nvtx_event
//
// The text of an event reaches roctx, and nothing else does.
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
    return finish();
}
