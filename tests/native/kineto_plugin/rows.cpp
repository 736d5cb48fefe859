#include "rows.h"

#include <utility>

namespace plugin {
namespace {

using libkineto::ActivityType;

// The runtime numbers its executions within a unit of execution: 1 here, in the upper 16 bits.
constexpr int64_t kFirstRuntimeSequence = int64_t{1} << 48;

}  // namespace

Rows::Rows(libkineto::CpuTraceBuffer& buffer, libkineto::ActivityLogger& logger,
           libkineto::getLinkedActivityCallback operator_of, Detail detail)
    : buffer_(buffer),
      logger_(logger),
      operator_of_(std::move(operator_of)),
      detail_(detail) {}

void Rows::add(const Work& work) {
  const int64_t begin_ns = work.start_ns - kPreparation_ns;
  const int64_t done_ns = work.end_ns() + kCompletion_ns;
  if (detail_ == Detail::kCorrelated) {
    add_on_host(work);
    add_on_device(ActivityType::CONCURRENT_KERNEL, "execute", begin_ns, done_ns, work);
  }
  if (detail_ != Detail::kKernels) {
    add_on_device(ActivityType::PRIVATEUSE1_DRIVER, work.name, begin_ns, done_ns, work);
  }
  if (detail_ != Detail::kDriver) {
    add_on_device(ActivityType::CONCURRENT_KERNEL, work.name, work.start_ns, work.end_ns(), work);
  }
}

libkineto::GenericTraceActivity& Rows::row(ActivityType type, const std::string& name,
                                           int64_t start_ns, int64_t end_ns, const Work& work) {
  buffer_.emplace_activity(buffer_.span, type, name);
  auto& row = *buffer_.activities.back();
  row.startTime = start_ns;
  row.endTime = end_ns;
  row.id = static_cast<int32_t>(work.launched_by);
  row.linked = operator_of_(row.id);
  if (row.linked != nullptr) {
    row.addMetadata("External id", row.linked->correlationId());
  }
  return row;
}

void Rows::add_on_host(const Work& work) {
  auto& call = row(ActivityType::PRIVATEUSE1_RUNTIME, "nrt_execute", work.submitted_ns,
                   work.submitted_ns + kPreparation_ns, work);
  call.device = libkineto::processId();
  call.resource = work.host_thread;
  call.log(logger_);
}

void Rows::add_on_device(ActivityType type, const std::string& name, int64_t start_ns,
                         int64_t end_ns, const Work& work) {
  auto& span = row(type, name, start_ns, end_ns, work);
  span.device = 0;
  span.resource = work.stream;
  span.addMetadata("stream", work.stream);
  span.addMetadata("nrt_sequence_id", kFirstRuntimeSequence + work.sequence);
  span.log(logger_);
}

}  // namespace plugin
