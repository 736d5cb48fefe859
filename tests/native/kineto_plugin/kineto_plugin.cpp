// A device's part in torch.profiler, as a backend outside torch has it: Kineto's PrivateUse1.
//
// Stands where a Neuron runtime's own plug-in does, and behaves as far as that is documented, so
// that what records on a chip is run, device rows and all, on machines that have none.

#include <output_base.h>
#include <torch/csrc/profiler/standalone/privateuse1_profiler.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "configuration.h"
#include "device.h"
#include "log.h"
#include "rows.h"
#include "session_files.h"

namespace plugin {
namespace {

using libkineto::ActivityType;

std::filesystem::path& newest_session() {
  static std::filesystem::path directory;
  return directory;
}

// What the runtime tells the trace differs by version. To some it tells nothing: only its own files
// know the device's work then.
std::optional<Detail> detail_told(const Configuration& configuration) {
  const char* const variable = std::getenv("NEURON_PLUGIN_ROWS");
  const std::string rows = variable == nullptr ? "" : variable;
  if (rows == "none") {
    return std::nullopt;
  }
  if (rows == "driver") {
    return Detail::kDriver;
  }
  return configuration.enabled("correlate_device_time") ? Detail::kCorrelated : Detail::kKernels;
}

class Session : public libkineto::IActivityProfilerSession {
 public:
  explicit Session(const std::string& configuration)
      : configuration_(configuration),
        directory_(session_directory(configuration_, Device::instance().now_ns())) {
    log_session(configuration, directory_);
  }

  void start() override {
    Device::instance().start_recording();
    status_ = libkineto::TraceStatus::RECORDING;
  }

  void stop() override {
    recorded_ = Device::instance().stop_recording();
    write_session_files(directory_, configuration_);
    newest_session() = directory_;
    status_ = libkineto::TraceStatus::PROCESSING;
  }

  void processTrace(libkineto::ActivityLogger& logger) override {
    processTrace(logger, [](int32_t) { return nullptr; }, 0, 0);
  }

  void processTrace(libkineto::ActivityLogger& logger,
                    libkineto::getLinkedActivityCallback operator_of, int64_t start_ns,
                    int64_t end_ns) override {
    buffer_->span = libkineto::TraceSpan(start_ns, end_ns, "NeuronCore");
    if (const auto detail = detail_told(configuration_)) {
      Rows rows(*buffer_, logger, std::move(operator_of), *detail);
      for (const Work& work : recorded_) {
        rows.add(work);
      }
    }
  }

  std::unique_ptr<libkineto::DeviceInfo> getDeviceInfo() override {
    return std::make_unique<libkineto::DeviceInfo>(
        libkineto::DeviceInfo{0, libkineto::kExceedMaxPid, "python", "NeuronCore 0"});
  }

  std::vector<libkineto::ResourceInfo> getResourceInfos() override { return {}; }

  std::unique_ptr<libkineto::CpuTraceBuffer> getTraceBuffer() override {
    return std::move(buffer_);
  }

  std::vector<std::string> errors() override { return {}; }

  void pushCorrelationId(uint64_t id) override { Device::open_operators().push_back(id); }

  void popCorrelationId() override {
    // The recording may have begun within an operator.
    if (!Device::open_operators().empty()) {
      Device::open_operators().pop_back();
    }
  }

 private:
  const Configuration configuration_;
  const std::filesystem::path directory_;
  std::vector<Work> recorded_;
  std::unique_ptr<libkineto::CpuTraceBuffer> buffer_ =
      std::make_unique<libkineto::CpuTraceBuffer>();
};

class Profiler : public libkineto::IActivityProfiler {
 public:
  const std::string& name() const override { return name_; }

  const std::set<ActivityType>& availableActivities() const override { return activities_; }

  std::unique_ptr<libkineto::IActivityProfilerSession> configure(
      const std::set<ActivityType>& activities, const libkineto::Config& config) override {
    return std::make_unique<Session>(config.getCustomConfig());
  }

  std::unique_ptr<libkineto::IActivityProfilerSession> configure(
      int64_t start_ms, int64_t duration_ms, const std::set<ActivityType>& activities,
      const libkineto::Config& config) override {
    return configure(activities, config);
  }

 private:
  const std::string name_ = "neuron";
  const std::set<ActivityType> activities_ = {
      ActivityType::CONCURRENT_KERNEL,
      ActivityType::PRIVATEUSE1_RUNTIME,
      ActivityType::PRIVATEUSE1_DRIVER,
  };
};

REGISTER_PRIVATEUSE1_PROFILER(Profiler);

}  // namespace
}  // namespace plugin

extern "C" {

void neuron_submit(const char* name, int64_t duration_ns, int32_t stream) {
  plugin::Device::instance().submit(name, duration_ns, stream);
}

void neuron_wait() {
  plugin::Device::instance().wait();
}

// The folder of the newest recording's files; empty while there is none.
const char* neuron_session_directory() {
  static std::string directory;
  directory = plugin::newest_session().string();
  return directory.c_str();
}

}
