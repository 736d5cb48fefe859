// The rows of a trace that tell of a device's work.
#pragma once

#include <libkineto.h>

#include <vector>

#include "device.h"

namespace plugin {

// Which rows tell of a piece of work.
enum class Detail {
  kKernels,     // a kernel row
  kDriver,      // the driver's span from dispatch to completion, and nothing finer
  kCorrelated,  // the runtime's call, the driver's span, and two kernel rows, one in the other
};

// Fills a buffer with the rows of recorded work and hands them to the trace.
class Rows {
 public:
  Rows(libkineto::CpuTraceBuffer& buffer, libkineto::ActivityLogger& logger,
       libkineto::getLinkedActivityCallback operator_of, Detail detail);

  void add(const Work& work);

 private:
  libkineto::GenericTraceActivity& row(libkineto::ActivityType type, const std::string& name,
                                       int64_t start_ns, int64_t end_ns, const Work& work);
  void add_on_host(const Work& work);
  void add_on_device(libkineto::ActivityType type, const std::string& name, int64_t start_ns,
                     int64_t end_ns, const Work& work);

  libkineto::CpuTraceBuffer& buffer_;
  libkineto::ActivityLogger& logger_;
  libkineto::getLinkedActivityCallback operator_of_;
  const Detail detail_;
};

}  // namespace plugin
