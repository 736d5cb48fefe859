#include "session_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace plugin {
namespace {

constexpr const char* kDefaultDirectory = "./output";

}  // namespace

std::filesystem::path session_directory(const Configuration& configuration, int64_t now_ns) {
  const std::string chosen = configuration.text("profile_output_dir");
  const std::filesystem::path root = chosen.empty() ? kDefaultDirectory : chosen;
  return std::filesystem::absolute(root) / fmt::format("i-0a1b2c3d4e5f60718_pid_{}", getpid()) /
         std::to_string(now_ns);
}

void write_session_files(const std::filesystem::path& directory,
                         const Configuration& configuration) {
  std::filesystem::create_directories(directory);
  const auto write = [&](const char* mode, const char* name) {
    if (configuration.enabled(mode)) {
      std::ofstream(directory / name) << name;
    }
  };
  write("device", "neff_5f2c8a9d01e3_vnc_0.neff");
  write("device", "profile_nc_0_session_0.ntff");
  write("runtime", "ntrace.pb");
  write("runtime", "trace_info.pb");
  write("cpu_util", "cpu_util.pb");
  write("host_memory", "host_mem.pb");
}

}  // namespace plugin
