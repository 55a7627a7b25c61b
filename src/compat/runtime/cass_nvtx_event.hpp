// name: cass_nvtx_event
// provides: cass_nvtxEventAttributes_t, cass_nvtxMarkEx, cass_nvtxRangePushEx, cass_nvtxRangeStartEx, cass_NVTX_VERSION, cass_NVTX_EVENT_ATTRIB_STRUCT_SIZE, cass_NVTX_COLOR_ARGB, cass_NVTX_COLOR_UNKNOWN, cass_NVTX_MESSAGE_TYPE_ASCII, cass_NVTX_MESSAGE_UNKNOWN, cass_NVTX_PAYLOAD_UNKNOWN, cass_NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, cass_NVTX_PAYLOAD_TYPE_INT64, cass_NVTX_PAYLOAD_TYPE_DOUBLE, cass_NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, cass_NVTX_PAYLOAD_TYPE_INT32, cass_NVTX_PAYLOAD_TYPE_FLOAT, cass_nvtxColorType_t, cass_nvtxMessageType_t, cass_nvtxPayloadType_t, cass_nvtxMessageValue_t, cass_nvtxStringHandle_t, cass_nvtxEventAttributes_v2, cass_NVTX_MESSAGE_TYPE_UNICODE, cass_NVTX_MESSAGE_TYPE_REGISTERED
// replaces: nvtxEventAttributes_t, nvtxMarkEx, nvtxRangePushEx, nvtxRangeStartEx, NVTX_VERSION, NVTX_EVENT_ATTRIB_STRUCT_SIZE, NVTX_COLOR_ARGB, NVTX_COLOR_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_UNKNOWN, NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32, NVTX_PAYLOAD_TYPE_FLOAT, nvtxColorType_t, nvtxMessageType_t, nvtxPayloadType_t, nvtxMessageValue_t, nvtxStringHandle_t, nvtxEventAttributes_v2, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED
// includes: roctracer/roctx.h
// summary: Ranges and marks with event attributes: roctx shows the text; colours, categories, payloads and wide strings have no place there.
// source: NVTX 3 documentation, event attributes; roctracer/roctx.h of ROCm 6.4
enum cass_nvtx_event_kinds {
    cass_NVTX_VERSION = 3,
    cass_NVTX_COLOR_UNKNOWN = 0,
    cass_NVTX_COLOR_ARGB = 1,
    cass_NVTX_MESSAGE_UNKNOWN = 0,
    cass_NVTX_MESSAGE_TYPE_ASCII = 1,
    cass_NVTX_MESSAGE_TYPE_UNICODE = 2,
    cass_NVTX_MESSAGE_TYPE_REGISTERED = 3,
    cass_NVTX_PAYLOAD_UNKNOWN = 0,
    cass_NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    cass_NVTX_PAYLOAD_TYPE_INT64 = 2,
    cass_NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    cass_NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    cass_NVTX_PAYLOAD_TYPE_INT32 = 5,
    cass_NVTX_PAYLOAD_TYPE_FLOAT = 6
};
typedef int cass_nvtxColorType_t;
typedef int cass_nvtxPayloadType_t;
typedef int cass_nvtxMessageType_t;
typedef const char* cass_nvtxStringHandle_t;
typedef union cass_nvtxMessageValue_t { const char* ascii; const wchar_t* unicode; cass_nvtxStringHandle_t registered; } cass_nvtxMessageValue_t;
struct cass_nvtxEventAttributes_t {
    unsigned short version, size;
    unsigned category;
    int colorType;
    unsigned color;
    int payloadType, reserved0;
    union payload_t { unsigned long long ullValue; long long llValue; double dValue; unsigned uiValue; int iValue; float fValue; } payload;
    int messageType;
    cass_nvtxMessageValue_t message;
};
typedef cass_nvtxEventAttributes_t cass_nvtxEventAttributes_v2;
enum { cass_NVTX_EVENT_ATTRIB_STRUCT_SIZE = sizeof(cass_nvtxEventAttributes_t) };

inline const char* cass_nvtx_text(const cass_nvtxEventAttributes_t* event)
{
    const char* text = nullptr;
    if (event && event->messageType == cass_NVTX_MESSAGE_TYPE_ASCII)
        text = event->message.ascii;
    else if (event && event->messageType == cass_NVTX_MESSAGE_TYPE_REGISTERED)
        text = event->message.registered;
    return text ? text : "";
}
inline void cass_nvtxMarkEx(const cass_nvtxEventAttributes_t* event) { roctxMarkA(cass_nvtx_text(event)); }
inline int cass_nvtxRangePushEx(const cass_nvtxEventAttributes_t* event) { return roctxRangePushA(cass_nvtx_text(event)); }
inline roctx_range_id_t cass_nvtxRangeStartEx(const cass_nvtxEventAttributes_t* event) { return roctxRangeStartA(cass_nvtx_text(event)); }
