#include "web_bench/curl_answer.h"

#include "web_bench/response_reader.h"

namespace scalemark::web {

CurlAnswer::CurlAnswer(const RequestSource& source, const Exchange& exchange)
    : source_(&source),
      item_(exchange.item),
      check_content_(exchange.check_content),
      expected_bytes_(source.size_of(exchange.item)) {}

bool CurlAnswer::take_head(std::string_view line) {
  if (!head_.take(line) || head_.bytes() > ResponseReader::kMaxHead) {
    return false;
  }
  // Such an answer is not worth waiting for; it may never end.
  too_long_ = expected_bytes_ && head_.success() && head_.announced_bytes().value_or(0) > *expected_bytes_;
  return !too_long_;
}

bool CurlAnswer::take_body(std::span<const char> bytes) {
  const std::uint64_t offset = body_bytes_;
  body_bytes_ += bytes.size();
  if (!head_.success()) {
    return true;  // an error page has a length of its own
  }
  too_long_ = expected_bytes_ && body_bytes_ > *expected_bytes_;
  if (too_long_) {
    return false;
  }
  if (check_content_ && !wrong_content_) {
    wrong_content_ = !source_->content_matches(item_, offset, bytes);
  }
  return true;
}

}  // namespace scalemark::web
