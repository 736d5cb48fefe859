// What the profiler was asked for: "name:value;name:value", as torch hands it through unread.
#pragma once

#include <algorithm>
#include <map>
#include <string>

namespace plugin {

class Configuration {
 public:
  Configuration() = default;

  explicit Configuration(const std::string& text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(';', begin), text.size());
      const std::string field = text.substr(begin, end - begin);
      // Values may hold colons: only the first one separates.
      const size_t colon = field.find(':');
      if (colon != std::string::npos) {
        fields_[field.substr(0, colon)] = field.substr(colon + 1);
      }
      begin = end + 1;
    }
  }

  std::string text(const std::string& name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? "" : found->second;
  }

  bool enabled(const std::string& name) const { return text(name) == "true"; }

 private:
  std::map<std::string, std::string> fields_;
};

}  // namespace plugin
