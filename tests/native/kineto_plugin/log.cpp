#include "log.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <mutex>

#include "device.h"

namespace plugin {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') {
      result += '\\';
    }
    result += character;
  }
  return result + '"';
}

void write_line(const std::string& line) {
  static std::mutex mutex;
  static const char* const path = std::getenv("NEURON_PLUGIN_LOG");
  if (path != nullptr) {
    const std::lock_guard lock(mutex);
    std::ofstream(path, std::ios::app) << line << '\n';
  }
}

}  // namespace

void log_session(const std::string& configuration, const std::filesystem::path& directory) {
  write_line(fmt::format(R"({{"configuration": {}, "directory": {}}})", quoted(configuration),
                         quoted(directory.string())));
}

void log_work(const Work& work, int recording) {
  write_line(fmt::format(R"({{"name": {}, "duration_ns": {}, "thread": {}, "recording": {}}})",
                         quoted(work.name), work.duration_ns, work.host_thread, recording));
}

}  // namespace plugin
