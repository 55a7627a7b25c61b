// name: cass_nvtx_domain
// provides: cass_nvtxDomainHandle_t, cass_nvtxDomainCreate, cass_nvtxDomainCreateA, cass_nvtxDomainCreateW, cass_nvtxDomainDestroy, cass_nvtxDomainNameCategory, cass_nvtxDomainNameCategoryA, cass_nvtxDomainNameCategoryW, cass_nvtxDomainRegisterString, cass_nvtxDomainRegisterStringA, cass_nvtxDomainRegisterStringW, cass_nvtxDomainMarkEx, cass_nvtxDomainRangePushEx, cass_nvtxDomainRangePop, cass_nvtxDomainRangeStartEx, cass_nvtxDomainRangeEnd
// replaces: nvtxDomainHandle_t, nvtxDomainCreate, nvtxDomainCreateA, nvtxDomainCreateW, nvtxDomainDestroy, nvtxDomainNameCategory, nvtxDomainNameCategoryA, nvtxDomainNameCategoryW, nvtxDomainRegisterString, nvtxDomainRegisterStringA, nvtxDomainRegisterStringW, nvtxDomainMarkEx, nvtxDomainRangePushEx, nvtxDomainRangePop, nvtxDomainRangeStartEx, nvtxDomainRangeEnd
// requires: cass_nvtx_event
// includes: cstdlib, cstring, roctracer/roctx.h
// summary: Domains of NVTX: roctx has one for all, so their ranges and marks go there, and the names of domains and categories nowhere.
// source: NVTX 3 documentation, domains and registered strings; roctracer/roctx.h of ROCm 6.4

// A handle is null, as NVTX returns it where no tool is attached. A registered string lasts as long as the program, as with NVTX.
typedef struct cass_nvtxDomainRegistration_st* cass_nvtxDomainHandle_t;
inline cass_nvtxDomainHandle_t cass_nvtxDomainCreateA(const char*) { return nullptr; }
inline cass_nvtxDomainHandle_t cass_nvtxDomainCreateW(const wchar_t*) { return nullptr; }
inline cass_nvtxDomainHandle_t cass_nvtxDomainCreate(const char*) { return nullptr; }
inline void cass_nvtxDomainDestroy(cass_nvtxDomainHandle_t) {}
inline void cass_nvtxDomainNameCategoryA(cass_nvtxDomainHandle_t, unsigned, const char*) {}
inline void cass_nvtxDomainNameCategoryW(cass_nvtxDomainHandle_t, unsigned, const wchar_t*) {}
inline void cass_nvtxDomainNameCategory(cass_nvtxDomainHandle_t, unsigned, const char*) {}
inline cass_nvtxStringHandle_t cass_nvtxDomainRegisterStringA(cass_nvtxDomainHandle_t, const char* text)
{
    std::size_t size = text ? std::strlen(text) + 1 : 0;
    void* kept = size ? std::malloc(size) : nullptr;
    return kept ? static_cast<const char*>(std::memcpy(kept, text, size)) : nullptr;
}
inline cass_nvtxStringHandle_t cass_nvtxDomainRegisterStringW(cass_nvtxDomainHandle_t, const wchar_t*) { return nullptr; }
inline cass_nvtxStringHandle_t cass_nvtxDomainRegisterString(cass_nvtxDomainHandle_t domain, const char* text)
{
    return cass_nvtxDomainRegisterStringA(domain, text);
}
inline void cass_nvtxDomainMarkEx(cass_nvtxDomainHandle_t, const cass_nvtxEventAttributes_t* event) { cass_nvtxMarkEx(event); }
inline int cass_nvtxDomainRangePushEx(cass_nvtxDomainHandle_t, const cass_nvtxEventAttributes_t* event) { return cass_nvtxRangePushEx(event); }
inline int cass_nvtxDomainRangePop(cass_nvtxDomainHandle_t) { return roctxRangePop(); }
inline roctx_range_id_t cass_nvtxDomainRangeStartEx(cass_nvtxDomainHandle_t, const cass_nvtxEventAttributes_t* event)
{
    return cass_nvtxRangeStartEx(event);
}
inline void cass_nvtxDomainRangeEnd(cass_nvtxDomainHandle_t, roctx_range_id_t range) { roctxRangeStop(range); }
