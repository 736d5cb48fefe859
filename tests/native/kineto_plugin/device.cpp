#include "device.h"

#include <ThreadUtil.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "log.h"

namespace plugin {
namespace {

constexpr int64_t kNsPerS = 1'000'000'000;

// From the host's call to the earliest start of the work.
constexpr int64_t kDispatch_ns = 2'000;

int64_t read_clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * kNsPerS + time.tv_nsec;
}

}  // namespace

Device::Device() : offset_ns_(read_clock_ns(CLOCK_REALTIME) - read_clock_ns(CLOCK_MONOTONIC)) {}

Device& Device::instance() {
  static Device device;
  return device;
}

std::vector<uint64_t>& Device::open_operators() {
  thread_local std::vector<uint64_t> operators;
  return operators;
}

int64_t Device::now_ns() const {
  return read_clock_ns(CLOCK_MONOTONIC) + offset_ns_;
}

void Device::submit(const std::string& name, int64_t duration_ns, int32_t stream) {
  const std::lock_guard lock(mutex_);
  Work work;
  work.name = name;
  work.sequence = ++sequence_;
  work.submitted_ns = now_ns();
  int64_t& free_at_ns = free_at_ns_[stream];
  work.start_ns = std::max(free_at_ns, work.submitted_ns + kDispatch_ns) + kPreparation_ns;
  work.duration_ns = duration_ns;
  work.stream = stream;
  work.host_thread = libkineto::systemThreadId();
  work.launched_by = open_operators().empty() ? 0 : open_operators().back();
  free_at_ns = work.end_ns() + kCompletion_ns;
  log_work(work, is_recording_ ? recordings_ : 0);
  if (is_recording_) {
    recorded_.push_back(std::move(work));
  }
}

void Device::wait() const {
  int64_t idle_at_ns = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [stream, free_at_ns] : free_at_ns_) {
      idle_at_ns = std::max(idle_at_ns, free_at_ns);
    }
  }
  const int64_t deadline_ns = idle_at_ns - offset_ns_;
  const timespec deadline{deadline_ns / kNsPerS, deadline_ns % kNsPerS};
  while (deadline_ns > 0 &&
         clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) != 0) {
  }
}

void Device::start_recording() {
  const std::lock_guard lock(mutex_);
  recorded_.clear();
  is_recording_ = true;
  ++recordings_;
}

std::vector<Work> Device::stop_recording() {
  const std::lock_guard lock(mutex_);
  is_recording_ = false;
  return std::move(recorded_);
}

}  // namespace plugin
