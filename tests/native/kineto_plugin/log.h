// The plug-in's own account of what it did, one JSON object a line: what tests compare traces with.
#pragma once

#include <filesystem>
#include <string>

namespace plugin {

struct Work;

// A recording begins, with the configuration as it came and the folder its files will be in.
void log_session(const std::string& configuration, const std::filesystem::path& directory);

// Work was handed to the device, within the recording of that number: from 1, 0 for none.
void log_work(const Work& work, int recording);

}  // namespace plugin
