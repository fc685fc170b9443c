// One side of a conversation in lines, as SMTP and POP3 have it, apart from how bytes travel.
//
// A dialogue is given what the client has sent, as far as it has come, and puts its answers into an output.
// It never waits and opens no socket. Belongs to one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "testbed/mail_text.h"

struct evbuffer;

namespace scalemark::testbed {

/// What a connection has still to send.
class MailOutput {
 public:
  /// Throws RunError when there is no memory.
  MailOutput();
  ~MailOutput();
  MailOutput(const MailOutput&) = delete;
  MailOutput& operator=(const MailOutput&) = delete;

  void add(std::string_view bytes);
  /// A line; its end is added.
  void say(std::string_view line);
  /// The first `bytes` of a message, without a copy: the message lives until they are sent.
  void add(const std::shared_ptr<const MailText>& text, std::size_t bytes);

  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] evbuffer* buffer() { return buffer_; }

 private:
  evbuffer* buffer_;
};

class MailDialogue {
 public:
  explicit MailDialogue(MailOutput& output) : output_(output) {}
  virtual ~MailDialogue() = default;
  MailDialogue(const MailDialogue&) = delete;
  MailDialogue& operator=(const MailDialogue&) = delete;

  /// What is said before the client says anything.
  virtual void greet() = 0;
  /// Deals with one command, or one piece of a message, at the beginning of `bytes`. Returns how many bytes
  /// that were; 0 when more must come first. Not when over.
  virtual std::size_t take(std::string_view bytes) { return take_line(bytes); }
  /// The connection is to be closed when the output is sent.
  [[nodiscard]] bool over() const { return over_; }

 protected:
  /// The longest line, its end not counted: what RFC 4954 asks for AUTH.
  static constexpr std::size_t kLongestLine = 12'288;

  std::size_t take_line(std::string_view bytes);
  /// A whole line without its end.
  virtual void on_line(std::string_view line) = 0;
  /// A line that is none, and why.
  virtual void on_bad_line(std::string_view why) = 0;
  void say(std::string_view line) { output_.say(line); }
  [[nodiscard]] MailOutput& output() { return output_; }
  void end() { over_ = true; }

 private:
  MailOutput& output_;
  bool over_ = false;
};

/// A line as its first word and what comes after the blank behind it.
struct MailCommand {
  std::string_view verb;
  std::string_view argument;
};
[[nodiscard]] MailCommand split_command(std::string_view line);

/// Whether two texts are the same but for upper and lower case of ASCII letters.
[[nodiscard]] bool same_word(std::string_view one, std::string_view other);
/// Whether `text` begins with `word` in that sense.
[[nodiscard]] bool begins_with_word(std::string_view text, std::string_view word);

}  // namespace scalemark::testbed
