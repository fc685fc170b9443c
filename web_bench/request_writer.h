// Writes the native engine's requests: the head of a GET, all of it.
//
// What does not depend on the item is made once per target; the text of the latest request is kept in one
// buffer, so that writing allocates nothing once it has grown. Belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "web_bench/target.h"
#include "web_bench/transport.h"

namespace scalemark::web {

class RequestWriter {
 public:
  /// `source` must outlive the writer.
  RequestWriter(const std::vector<Target>& targets, const RequestSource& source);

  /// The request of run-wide user `number` for an exchange. Valid until the next call.
  [[nodiscard]] const std::string& write(std::uint32_t number, const Exchange& exchange);

 private:
  struct Frame {
    std::string before;  // "GET /base/"
    std::string after;   // " HTTP/1.1\r\nHost: ..."
  };

  const RequestSource& source_;
  std::vector<Frame> frames_;  // per target
  std::string text_;
};

}  // namespace scalemark::web
