// name: cass_nv_atomic
// provides: cass_nv_atomic_load_n, cass_nv_atomic_load, cass_nv_atomic_store_n, cass_nv_atomic_store, cass_nv_atomic_exchange_n, cass_nv_atomic_exchange, cass_nv_atomic_compare_exchange_n, cass_nv_atomic_compare_exchange, cass_nv_atomic_fetch_add, cass_nv_atomic_add, cass_nv_atomic_fetch_and, cass_nv_atomic_and, cass_nv_atomic_fetch_or, cass_nv_atomic_or, cass_nv_atomic_fetch_xor, cass_nv_atomic_xor, cass_nv_atomic_fetch_min, cass_nv_atomic_min, cass_nv_atomic_fetch_max, cass_nv_atomic_max, cass_nv_atomic_fetch_sub, cass_nv_atomic_sub, cass_nv_atomic_thread_fence
// replaces: __nv_atomic_load_n, __nv_atomic_load, __nv_atomic_store_n, __nv_atomic_store, __nv_atomic_exchange_n, __nv_atomic_exchange, __nv_atomic_compare_exchange_n, __nv_atomic_compare_exchange, __nv_atomic_fetch_add, __nv_atomic_add, __nv_atomic_fetch_and, __nv_atomic_and, __nv_atomic_fetch_or, __nv_atomic_or, __nv_atomic_fetch_xor, __nv_atomic_xor, __nv_atomic_fetch_min, __nv_atomic_min, __nv_atomic_fetch_max, __nv_atomic_max, __nv_atomic_fetch_sub, __nv_atomic_sub, __nv_atomic_thread_fence
// requires: cass_memory_scopes
// summary: CUDA atomic built-in functions as those of clang; orders are __ATOMIC_ and scopes __HIP_MEMORY_SCOPE_ names.
// source: CUDA C++ Programming Guide 13.0, built-in atomic functions; clang 19 __hip_atomic builtins

// The scope may be left out; it is the system then.
#define CASS_ORDER(order, scope, ...) order, scope
#define CASS_ORDERS(success, failure, scope, ...) success, failure, scope

#define cass_nv_atomic_load_n(address, ...) __hip_atomic_load(address, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_load(address, result, ...) (*(result) = __hip_atomic_load(address, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0)))
#define cass_nv_atomic_store_n(address, value, ...) __hip_atomic_store(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_store(address, value, ...) __hip_atomic_store(address, *(value), CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_exchange_n(address, value, ...) __hip_atomic_exchange(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_exchange(address, value, result, ...) (*(result) = __hip_atomic_exchange(address, *(value), CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0)))
#define cass_nv_atomic_compare_exchange_n(address, expected, desired, weak, ...) __hip_atomic_compare_exchange_strong(address, expected, desired, CASS_ORDERS(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_compare_exchange(address, expected, desired, weak, ...) __hip_atomic_compare_exchange_strong(address, expected, *(desired), CASS_ORDERS(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_add(address, value, ...) __hip_atomic_fetch_add(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_add(address, value, ...) (void)__hip_atomic_fetch_add(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_and(address, value, ...) __hip_atomic_fetch_and(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_and(address, value, ...) (void)__hip_atomic_fetch_and(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_or(address, value, ...) __hip_atomic_fetch_or(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_or(address, value, ...) (void)__hip_atomic_fetch_or(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_xor(address, value, ...) __hip_atomic_fetch_xor(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_xor(address, value, ...) (void)__hip_atomic_fetch_xor(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_min(address, value, ...) __hip_atomic_fetch_min(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_min(address, value, ...) (void)__hip_atomic_fetch_min(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_max(address, value, ...) __hip_atomic_fetch_max(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_max(address, value, ...) (void)__hip_atomic_fetch_max(address, value, CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_fetch_sub(address, value, ...) __hip_atomic_fetch_add(address, -(value), CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))
#define cass_nv_atomic_sub(address, value, ...) (void)__hip_atomic_fetch_add(address, -(value), CASS_ORDER(__VA_ARGS__, __HIP_MEMORY_SCOPE_SYSTEM, 0))

// A fence takes its scope as text; sequential consistency is the strongest order and so right for each.
__device__ inline void cass_nv_atomic_thread_fence(int, int scope = __HIP_MEMORY_SCOPE_SYSTEM)
{
    if (scope == __HIP_MEMORY_SCOPE_SYSTEM)
        __threadfence_system();
    else if (scope == __HIP_MEMORY_SCOPE_AGENT)
        __threadfence();
    else
        __threadfence_block();
}
