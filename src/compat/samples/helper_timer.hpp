// name: helper_timer
// provides: StopWatchInterface, sdkCreateTimer, sdkDeleteTimer, sdkStartTimer, sdkStopTimer, sdkResetTimer, sdkGetTimerValue, sdkGetAverageTimerValue
// replaces: helper_timer.h
// includes: chrono
// summary: Host stop watch of the CUDA samples' helper_timer.h under its own names; times are in milliseconds.
// source: documented behaviour of the CUDA samples (Common)
class StopWatchInterface {
public:
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};

class cass_stop_watch final : public StopWatchInterface {
    using clock = std::chrono::steady_clock;
    clock::time_point started_ = clock::now();
    float total_ = 0.0f;
    int sessions_ = 0;
    bool running_ = false;

    float since_start() const
    {
        return std::chrono::duration<float, std::milli>(clock::now() - started_).count();
    }

public:
    void start() override
    {
        started_ = clock::now();
        running_ = true;
    }
    void stop() override
    {
        total_ += since_start();
        running_ = false;
        ++sessions_;
    }
    void reset() override
    {
        total_ = 0.0f;
        sessions_ = 0;
        started_ = clock::now();
    }
    float getTime() override { return running_ ? total_ + since_start() : total_; }
    float getAverageTime() override { return sessions_ > 0 ? total_ / sessions_ : 0.0f; }
};

inline bool sdkCreateTimer(StopWatchInterface** timer)
{
    *timer = new cass_stop_watch;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer)
{
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer)
{
    if (*timer)
        (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer)
{
    if (*timer)
        (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer)
{
    if (*timer)
        (*timer)->reset();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer)
{
    return *timer ? (*timer)->getTime() : 0.0f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer)
{
    return *timer ? (*timer)->getAverageTime() : 0.0f;
}
