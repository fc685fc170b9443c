// Records as a run would hand them over, for tests of what happens to them afterwards.
#pragma once

#include "core/run_record.h"

namespace scalemark::app {

inline RunRecord record_of(Status status) {
  RunRecord record;
  record.kind = "web";
  record.verdict.status = status;
  record.score = {97, "conforming connections"};
  record.plan = Json::object();
  record.context = machine_context();
  return record;
}

}  // namespace scalemark::app
