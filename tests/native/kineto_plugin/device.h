// A device that takes work in order on each of its streams and keeps a clock of its own.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace plugin {

// One piece of work. Times are in nanoseconds since 1970, by the device's clock.
struct Work {
  std::string name;
  int64_t sequence;       // counts all work of the process, from 1
  int64_t submitted_ns;   // when the host handed it over
  int64_t start_ns;       // when the device began with it
  int64_t duration_ns;
  int32_t stream;
  int32_t host_thread;    // the thread that handed it over, as the operating system numbers it
  uint64_t launched_by;   // correlation id of the innermost open operator, 0 for none

  int64_t end_ns() const { return start_ns + duration_ns; }
};

// What the device does around each piece of work, which nested rows of a trace show.
constexpr int64_t kPreparation_ns = 100;
constexpr int64_t kCompletion_ns = 200;

class Device {
 public:
  static Device& instance();

  // Never goes back, whatever happens to the machine's clock meanwhile.
  int64_t now_ns() const;

  void submit(const std::string& name, int64_t duration_ns, int32_t stream);

  // Sleeps until all streams are done with what they have.
  void wait() const;

  void start_recording();
  std::vector<Work> stop_recording();

  // The operators that are open on the calling thread.
  static std::vector<uint64_t>& open_operators();

 private:
  Device();

  const int64_t offset_ns_;  // from the monotonic clock to the time since 1970
  mutable std::mutex mutex_;
  std::map<int32_t, int64_t> free_at_ns_;
  std::vector<Work> recorded_;
  bool is_recording_ = false;
  int32_t recordings_ = 0;
  int64_t sequence_ = 0;
};

}  // namespace plugin
