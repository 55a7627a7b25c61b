// Runs the lanes of one wavefront in step on the CPU, each on a stack of its own, and answers the cross-lane instructions.
// A lane that waits in rejoin() is inactive until the others are there too: that is how a branch not taken looks.
// Active lanes must all wait at the same instruction, as on the GPU; anything else ends the test.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

static dim3 threadIdx, blockIdx, blockDim, gridDim;

class Wave {
    enum State { ready, waiting, parked, done };
    struct Lane {
        ucontext_t context;
        std::vector<char> stack = std::vector<char>(1 << 16);
        State state = ready;
        const char* instruction = nullptr;
        uint64_t in = 0, out = 0;
        dim3 thread;
    };
    std::vector<std::unique_ptr<Lane>> lanes_;
    ucontext_t scheduler_;
    std::function<void()> body_;
    unsigned current_ = 0;

    static void enter()
    {
        Wave& wave = *running;
        wave.body_();
        wave.lanes_[wave.current_]->state = done;
        swapcontext(&wave.lanes_[wave.current_]->context, &wave.scheduler_);
    }
    void pause(State state, const char* instruction, uint64_t in)
    {
        Lane& lane = *lanes_[current_];
        lane.state = state;
        lane.instruction = instruction;
        lane.in = in;
        swapcontext(&lane.context, &scheduler_);
    }
    uint64_t answer(unsigned index)
    {
        Lane& lane = *lanes_[index];
        uint64_t result = 0;
        if (lane.instruction == ballot_name) {
            for (unsigned i = 0; i < lanes_.size(); ++i)
                result |= static_cast<uint64_t>(lanes_[i]->state == waiting && lanes_[i]->in) << i;
        } else if (lane.instruction == permute_name) {
            Lane& source = *lanes_[(lane.in >> 34) % lanes_.size()];
            result = source.state == waiting ? source.in & 0xffffffffu : 0;
        }
        return result;
    }
    void serve()
    {
        const char* instruction = nullptr;
        for (unsigned i = 0; i < lanes_.size(); ++i) {
            Lane& lane = *lanes_[i];
            if (lane.state != waiting)
                continue;
            if (instruction && instruction != lane.instruction) {
                fprintf(stderr, "lanes wait at %s and at %s\n", instruction, lane.instruction);
                exit(1);
            }
            instruction = lane.instruction;
            lane.out = answer(i);
        }
        State released = instruction ? waiting : parked;
        for (auto& lane : lanes_)
            if (lane->state == released)
                lane->state = ready;
    }

public:
    static constexpr const char* ballot_name = "ballot";
    static constexpr const char* permute_name = "permute";
    static constexpr const char* barrier_name = "barrier";
    static inline Wave* running = nullptr;

    unsigned lane() const { return current_; }
    unsigned size() const { return static_cast<unsigned>(lanes_.size()); }
    uint64_t instruction(const char* name, uint64_t in)
    {
        pause(waiting, name, in);
        return lanes_[current_]->out;
    }
    void rejoin() { pause(parked, nullptr, 0); }

    // Runs `body` in `size` lanes whose linear thread indices begin at `first` within blockDim.
    static void run(unsigned size, unsigned first, std::function<void()> body)
    {
        Wave wave;
        wave.body_ = std::move(body);
        running = &wave;
        for (unsigned i = 0; i < size; ++i) {
            wave.lanes_.push_back(std::make_unique<Lane>());
            Lane& lane = *wave.lanes_.back();
            unsigned linear = first + i;
            lane.thread = dim3(linear % blockDim.x, linear / blockDim.x % blockDim.y, linear / blockDim.x / blockDim.y);
            getcontext(&lane.context);
            lane.context.uc_stack.ss_sp = lane.stack.data();
            lane.context.uc_stack.ss_size = lane.stack.size();
            makecontext(&lane.context, enter, 0);
        }
        for (bool alive = true; alive;) {
            bool moved = false;
            alive = false;
            for (wave.current_ = 0; wave.current_ < size; ++wave.current_) {
                Lane& lane = *wave.lanes_[wave.current_];
                if (lane.state == ready) {
                    threadIdx = lane.thread;
                    swapcontext(&wave.scheduler_, &lane.context);
                    moved = true;
                }
                alive = alive || lane.state != done;
            }
            if (!moved)
                wave.serve();
        }
    }
};

inline int warpSize = 64;
inline unsigned __lane_id() { return Wave::running->lane(); }
inline unsigned long long __ballot(int predicate) { return Wave::running->instruction(Wave::ballot_name, predicate != 0); }
inline int __builtin_amdgcn_ds_bpermute(int address, int value)
{
    uint64_t in = static_cast<uint64_t>(static_cast<unsigned>(address)) << 32 | static_cast<unsigned>(value);
    return static_cast<int>(Wave::running->instruction(Wave::permute_name, in));
}
static int fences, barriers;
inline void __builtin_amdgcn_fence(int order, const char* scope) { fences += order == __ATOMIC_ACQ_REL && strcmp(scope, "wavefront") == 0; }
inline void __builtin_amdgcn_wave_barrier() { ++barriers; }
inline void __syncthreads() { Wave::running->instruction(Wave::barrier_name, 0); }
inline void rejoin() { Wave::running->rejoin(); }
