// Single mail operations, made inside a network namespace: what checks of health are made of.
//
// libcurl does the work; it blocks, which is right here and is why the benchmark has sessions of its own. The
// calling thread keeps its own namespace. Objects belong to one thread; several threads may have some each.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "core/clock.h"

namespace scalemark::testbed {

/// What went wrong in one operation, in words, the server's own among them.
class MailTrouble : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where to reach mail servers: ports 25 and 110 of `address`, from inside `netns` ("" the caller's).
struct MailDoor {
  std::string netns;
  std::string address;
};

/// Sends a message, whose lines end in CR LF, to one recipient. Throws MailTrouble.
void deliver(const MailDoor& door, const std::string& from, const std::string& to, const std::string& message,
             TimePoint deadline);

/// A POP3 session.
class Pop3Client {
 public:
  /// Logs in. Throws MailTrouble.
  Pop3Client(const MailDoor& door, const std::string& login, const std::string& password, TimePoint deadline);
  /// Ends the session, too, unless quit() has; whether that went well is not known then.
  ~Pop3Client();
  Pop3Client(const Pop3Client&) = delete;
  Pop3Client& operator=(const Pop3Client&) = delete;

  /// How many messages there are.
  [[nodiscard]] unsigned count() const { return count_; }
  /// Message `number`, from 1. Throws MailTrouble, as do the others.
  [[nodiscard]] std::string fetch(unsigned number);
  void remove(unsigned number);
  /// Ends the session; what was removed is gone then.
  void quit();

 private:
  struct Wire;
  std::unique_ptr<Wire> wire_;
  unsigned count_ = 0;
};

}  // namespace scalemark::testbed
