#include "web_bench/request_writer.h"

namespace scalemark::web {

RequestWriter::RequestWriter(const std::vector<Target>& targets, const RequestSource& source)
    : source_(source) {
  for (const Target& target : targets) {
    frames_.push_back({"GET " + target.base_path, " HTTP/1.1\r\nHost: " + target.host_header +
                                                      "\r\nUser-Agent: scalemark\r\nAccept: */*\r\n"});
  }
}

const std::string& RequestWriter::write(std::uint32_t number, const Exchange& exchange) {
  const Frame& frame = frames_[number % frames_.size()];
  text_.assign(frame.before);
  source_.append_path(exchange.item, text_);
  text_ += frame.after;
  text_ += exchange.last_on_connection ? "Connection: close\r\n\r\n" : "\r\n";
  return text_;
}

}  // namespace scalemark::web
