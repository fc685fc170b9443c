#include "testbed/mail_dialogue.h"

#include <event2/buffer.h>

#include <algorithm>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

}  // namespace

MailOutput::MailOutput() : buffer_(evbuffer_new()) {
  if (buffer_ == nullptr) {
    throw RunError("cannot serve a connection: out of memory");
  }
}

MailOutput::~MailOutput() {
  evbuffer_free(buffer_);
}

void MailOutput::add(std::string_view bytes) {
  evbuffer_add(buffer_, bytes.data(), bytes.size());
}

void MailOutput::say(std::string_view line) {
  add(line);
  add("\r\n");
}

void MailOutput::add(const std::shared_ptr<const MailText>& text, std::size_t bytes) {
  auto holder = std::make_unique<std::shared_ptr<const MailText>>(text);
  const auto release = [](const void*, std::size_t, void* held) {
    delete static_cast<std::shared_ptr<const MailText>*>(held);
  };
  if (evbuffer_add_reference(buffer_, text->wire().data(), bytes, release, holder.get()) == 0) {
    static_cast<void>(holder.release());
  }
}

std::size_t MailOutput::waiting() const {
  return evbuffer_get_length(buffer_);
}

std::size_t MailDialogue::take_line(std::string_view bytes) {
  const std::size_t feed = bytes.find('\n');
  if (std::min(feed, bytes.size()) > kLongestLine + 1) {
    on_bad_line("the line is too long");
    end();
    return bytes.size();
  }
  if (feed == std::string_view::npos) {
    return 0;
  }
  if (feed == 0 || bytes[feed - 1] != '\r') {
    on_bad_line("a line must end in CR LF");
  } else {
    on_line(bytes.substr(0, feed - 1));
  }
  return feed + 1;
}

MailCommand split_command(std::string_view line) {
  const std::size_t blank = std::min(line.find(' '), line.size());
  return {line.substr(0, blank), line.substr(std::min(blank + 1, line.size()))};
}

bool same_word(std::string_view one, std::string_view other) {
  return one.size() == other.size() && begins_with_word(one, other);
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, char b) { return upper(a) == upper(b); });
}

}  // namespace scalemark::testbed
