// The files that a Neuron runtime leaves of a recording, by the names that are documented.
#pragma once

#include <cstdint>
#include <filesystem>

#include "configuration.h"

namespace plugin {

// <profile_output_dir>/<instance>_pid_<pid>/<timestamp>; a name of its own for each recording.
std::filesystem::path session_directory(const Configuration& configuration, int64_t now_ns);

// Their contents are not: nothing reads them here.
void write_session_files(const std::filesystem::path& directory,
                         const Configuration& configuration);

}  // namespace plugin
