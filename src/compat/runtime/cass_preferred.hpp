// name: cass_preferred
// provides: CASS_PREFERRED
// replaces:
// summary: In front of an operator: clang prefers it over an equal one without, such as those of HIP's vector types.
// source: clang 19 attribute reference, enable_if (a candidate with the attribute is better than one without)
#if defined(__clang__)
#define CASS_PREFERRED __attribute__((enable_if(true, "")))
#else
#define CASS_PREFERRED
#endif
// nvidia:
#define CASS_PREFERRED
