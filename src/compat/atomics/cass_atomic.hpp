// name: cass_atomic
// provides: cass_atomic, cass_atomic_ref, cass_atomic_thread_fence, cass_thread_scope, cass_thread_scope_system, cass_thread_scope_device, cass_thread_scope_block, cass_thread_scope_thread
// replaces:
// includes: atomic, type_traits
// summary: Atomic objects and references of libcu++ with their scopes, for host and device, of types with 1, 2, 4 or 8 bytes.
// source: CUDA C++ Core Libraries 2.5, cuda::atomic and cuda::atomic_ref; clang 19 __hip_atomic builtins

enum cass_thread_scope { cass_thread_scope_system, cass_thread_scope_device, cass_thread_scope_block, cass_thread_scope_thread };

template <unsigned CassBytes> struct cass_atomic_word;
template <> struct cass_atomic_word<1> { typedef unsigned char __attribute__((may_alias)) type; };
template <> struct cass_atomic_word<2> { typedef unsigned short __attribute__((may_alias)) type; };
template <> struct cass_atomic_word<4> { typedef unsigned int __attribute__((may_alias)) type; };
template <> struct cass_atomic_word<8> { typedef unsigned long long __attribute__((may_alias)) type; };

// What is added to a pointer counts its elements.
template <typename CassT> struct cass_atomic_difference {
    typedef CassT type;
    __host__ __device__ static CassT added(CassT value) { return value; }
};
template <typename CassT> struct cass_atomic_difference<CassT*> {
    typedef long long type;
    __host__ __device__ static unsigned long long added(long long value) { return static_cast<unsigned long long>(value) * sizeof(CassT); }
};

// A compiler of the host knows one scope, and changes values in a loop.
#if defined(__clang__) && defined(__HIP__)
#define CASS_ATOMIC_OP(NAME, HOST, ...) __hip_atomic_##NAME(__VA_ARGS__, static_cast<int>(order), CassScope == cass_thread_scope_system ? __HIP_MEMORY_SCOPE_SYSTEM : CassScope == cass_thread_scope_device ? __HIP_MEMORY_SCOPE_AGENT : CassScope == cass_thread_scope_block ? __HIP_MEMORY_SCOPE_WORKGROUP : __HIP_MEMORY_SCOPE_SINGLETHREAD)
#define CASS_ATOMIC_FETCH(NAME, RESULT) return __builtin_bit_cast(CassT, CASS_ATOMIC_OP(fetch_##NAME, , operand(), value))
#define CASS_ATOMIC_FETCH_SUM(VALUE) return __builtin_bit_cast(CassT, CASS_ATOMIC_OP(fetch_add, , operand(), cass_atomic_difference<CassT>::added(VALUE)))
#else
#define CASS_ATOMIC_OP(NAME, HOST, ...) HOST(__VA_ARGS__, static_cast<int>(order))
#define CASS_ATOMIC_FETCH(NAME, RESULT) \
    CassT old = load(std::memory_order_relaxed); \
    while (!compare_exchange_weak(old, static_cast<CassT>(RESULT), order)) {} \
    return old
#define CASS_ATOMIC_FETCH_SUM(VALUE) CASS_ATOMIC_FETCH(add, old + (VALUE))
#endif

// `CassSelf` says where the value is.
template <typename CassT, cass_thread_scope CassScope, typename CassSelf> struct cass_atomic_operations {
    typedef CassT value_type;
    typedef typename cass_atomic_difference<CassT>::type difference_type;
    static constexpr bool is_always_lock_free = true;
    __host__ __device__ bool is_lock_free() const { return true; }

    __host__ __device__ CassT load(std::memory_order order = std::memory_order_seq_cst) const
    {
        return from(CASS_ATOMIC_OP(load, __atomic_load_n, word()));
    }
    __host__ __device__ void store(CassT value, std::memory_order order = std::memory_order_seq_cst) const
    {
        CASS_ATOMIC_OP(store, __atomic_store_n, word(), bits(value));
    }
    __host__ __device__ CassT exchange(CassT value, std::memory_order order = std::memory_order_seq_cst) const
    {
        return from(CASS_ATOMIC_OP(exchange, __atomic_exchange_n, word(), bits(value)));
    }
    __host__ __device__ bool compare_exchange_strong(CassT& expected, CassT value, std::memory_order success, std::memory_order order) const
    {
        CassWord known = bits(expected);
#if defined(__clang__) && defined(__HIP__)
        const bool is_done = CASS_ATOMIC_OP(compare_exchange_strong, , word(), &known, bits(value), static_cast<int>(success));
#else
        const bool is_done = __atomic_compare_exchange_n(word(), &known, bits(value), false, static_cast<int>(success), static_cast<int>(order));
#endif
        if (!is_done)
            expected = from(known);
        return is_done;
    }
    __host__ __device__ bool compare_exchange_strong(CassT& expected, CassT value, std::memory_order order = std::memory_order_seq_cst) const
    {
        const bool is_plain = order == std::memory_order_release || order == std::memory_order_relaxed;
        return compare_exchange_strong(expected, value, order, is_plain ? std::memory_order_relaxed : order == std::memory_order_acq_rel ? std::memory_order_acquire : order);
    }
    __host__ __device__ bool compare_exchange_weak(CassT& expected, CassT value, std::memory_order success, std::memory_order order) const
    {
        return compare_exchange_strong(expected, value, success, order);
    }
    __host__ __device__ bool compare_exchange_weak(CassT& expected, CassT value, std::memory_order order = std::memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, value, order);
    }

    __host__ __device__ CassT fetch_add(difference_type value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH_SUM(value); }
    __host__ __device__ CassT fetch_sub(difference_type value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH_SUM(static_cast<difference_type>(-value)); }
    __host__ __device__ CassT fetch_and(CassT value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH(and, old & value); }
    __host__ __device__ CassT fetch_or(CassT value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH(or, old | value); }
    __host__ __device__ CassT fetch_xor(CassT value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH(xor, old ^ value); }
    __host__ __device__ CassT fetch_min(CassT value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH(min, value < old ? value : old); }
    __host__ __device__ CassT fetch_max(CassT value, std::memory_order order = std::memory_order_seq_cst) const { CASS_ATOMIC_FETCH(max, old < value ? value : old); }

    __host__ __device__ void wait(CassT old, std::memory_order order = std::memory_order_seq_cst) const { while (bits(load(order)) == bits(old)) {} }
    __host__ __device__ void notify_one() const {}
    __host__ __device__ void notify_all() const {}

    __host__ __device__ operator CassT() const { return load(); }
    __host__ __device__ CassT operator++() const { return static_cast<CassT>(fetch_add(1) + 1); }
    __host__ __device__ CassT operator--() const { return static_cast<CassT>(fetch_sub(1) - 1); }
    __host__ __device__ CassT operator++(int) const { return fetch_add(1); }
    __host__ __device__ CassT operator--(int) const { return fetch_sub(1); }
    __host__ __device__ CassT operator+=(difference_type value) const { return static_cast<CassT>(fetch_add(value) + value); }
    __host__ __device__ CassT operator-=(difference_type value) const { return static_cast<CassT>(fetch_sub(value) - value); }
    __host__ __device__ CassT operator&=(CassT value) const { return static_cast<CassT>(fetch_and(value) & value); }
    __host__ __device__ CassT operator|=(CassT value) const { return static_cast<CassT>(fetch_or(value) | value); }
    __host__ __device__ CassT operator^=(CassT value) const { return static_cast<CassT>(fetch_xor(value) ^ value); }

protected:
    typedef typename cass_atomic_word<sizeof(CassT)>::type CassWord;

    __host__ __device__ CassWord* word() const { return reinterpret_cast<CassWord*>(static_cast<const CassSelf*>(this)->address()); }
    // Sums of pointers are those of integers.
    __host__ __device__ typename std::conditional<std::is_pointer<CassT>::value, CassWord, CassT>::type* operand() const
    {
        return reinterpret_cast<typename std::conditional<std::is_pointer<CassT>::value, CassWord, CassT>::type*>(static_cast<const CassSelf*>(this)->address());
    }
    __host__ __device__ static CassWord bits(CassT value) { CassWord word; __builtin_memcpy(&word, &value, sizeof(word)); return word; }
    __host__ __device__ static CassT from(CassWord word) { CassT value; __builtin_memcpy(&value, &word, sizeof(value)); return value; }
};
#undef CASS_ATOMIC_OP
#undef CASS_ATOMIC_FETCH
#undef CASS_ATOMIC_FETCH_SUM

template <typename CassT, cass_thread_scope CassScope = cass_thread_scope_system>
struct cass_atomic_ref : cass_atomic_operations<CassT, CassScope, cass_atomic_ref<CassT, CassScope>> {
    __host__ __device__ explicit cass_atomic_ref(CassT& of) : at(&of) {}
    cass_atomic_ref(const cass_atomic_ref&) = default;
    cass_atomic_ref& operator=(const cass_atomic_ref&) = delete;
    __host__ __device__ CassT operator=(CassT value) const { this->store(value); return value; }
    __host__ __device__ CassT* address() const { return at; }

private:
    CassT* at;
};

template <typename CassT, cass_thread_scope CassScope = cass_thread_scope_system>
struct cass_atomic : cass_atomic_operations<CassT, CassScope, cass_atomic<CassT, CassScope>> {
    cass_atomic() = default;
    __host__ __device__ constexpr cass_atomic(CassT value) : held(value) {}
    cass_atomic(const cass_atomic&) = delete;
    cass_atomic& operator=(const cass_atomic&) = delete;
    __host__ __device__ CassT operator=(CassT value) { this->store(value); return value; }
    __host__ __device__ CassT* address() const { return &held; }

private:
    alignas(sizeof(CassT)) mutable CassT held;
};

__host__ __device__ inline void cass_atomic_thread_fence(std::memory_order order, cass_thread_scope scope = cass_thread_scope_system)
{
#ifdef __HIP_DEVICE_COMPILE__
    if (order == std::memory_order_relaxed || scope == cass_thread_scope_thread)
        return;
    if (scope == cass_thread_scope_system)
        __threadfence_system();
    else if (scope == cass_thread_scope_device)
        __threadfence();
    else
        __threadfence_block();
#else
    if (scope != cass_thread_scope_thread)
        __atomic_thread_fence(static_cast<int>(order));
#endif
}
// nvidia:
#include <cuda/atomic>
template <typename CassT, cuda::thread_scope CassScope = cuda::thread_scope_system> using cass_atomic = cuda::atomic<CassT, CassScope>;
template <typename CassT, cuda::thread_scope CassScope = cuda::thread_scope_system> using cass_atomic_ref = cuda::atomic_ref<CassT, CassScope>;
typedef cuda::thread_scope cass_thread_scope;
constexpr cuda::thread_scope cass_thread_scope_system = cuda::thread_scope_system, cass_thread_scope_device = cuda::thread_scope_device,
                             cass_thread_scope_block = cuda::thread_scope_block, cass_thread_scope_thread = cuda::thread_scope_thread;
__host__ __device__ inline void cass_atomic_thread_fence(std::memory_order order, cuda::thread_scope scope = cuda::thread_scope_system)
{
    cuda::atomic_thread_fence(static_cast<cuda::std::memory_order>(order), scope);
}
