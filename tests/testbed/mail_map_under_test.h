// A running mail map, its database, and a client that asks as nginx's mail proxy does.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "testbed/mail_map_server.h"
#include "tests/support/postgres.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {

/// A PostgreSQL with some mailboxes: uN@bench.test with the password secretN on the node 10.0.0.N, for N from
/// 1 to 50, and held@bench.test, which is not found until hold() is over. The map's role is mailmap.
class MailboxDatabase {
 public:
  MailboxDatabase();

  [[nodiscard]] test_support::Postgres& server() { return server_; }
  [[nodiscard]] std::string access() const { return server_.database("mailmap"); }
  /// Statements of the superuser.
  std::string run(const std::string& statements) const;
  /// Look-ups of held@bench.test wait while this lives.
  [[nodiscard]] std::unique_ptr<test_support::PostgresSession> hold() const;
  /// All look-ups wait while this lives.
  [[nodiscard]] std::unique_ptr<test_support::PostgresSession> lock() const;
  /// How many connections the map has.
  [[nodiscard]] int connections() const;
  /// How many of them have prepared their statement and wait.
  [[nodiscard]] int ready_connections() const;

 private:
  test_support::Postgres server_;
};

/// A map that runs in a thread of its own until stopped or destroyed.
class MailMapUnderTest {
 public:
  /// Listens on a free loopback port; `plan` gives the rest.
  explicit MailMapUnderTest(MailMapPlan plan);
  ~MailMapUnderTest();
  MailMapUnderTest(const MailMapUnderTest&) = delete;
  MailMapUnderTest& operator=(const MailMapUnderTest&) = delete;

  [[nodiscard]] std::string address() const { return map_->address(); }
  /// What it has said of its database so far.
  [[nodiscard]] std::vector<std::string> notices() const;
  /// Asks it to end.
  void stop() { map_->stop(); }
  /// Stops it, waits until run() has returned, and says what it has done.
  MailMapCounters end();

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> notices_;
  std::unique_ptr<MailMapServer> map_;
  std::thread thread_;
};

/// A plan that reaches the database.
[[nodiscard]] MailMapPlan plan_for(const MailboxDatabase& database);

/// The headers of a question for a recipient, and for a POP3 login.
[[nodiscard]] std::string for_recipient(const std::string& address);
[[nodiscard]] std::string for_login(const std::string& user, const std::string& password);

/// What is answered, in a line: "OK 10.0.0.1:25", "550 5.1.1 no such mailbox", "Invalid login or password";
/// "(none)" when there is no answer.
[[nodiscard]] std::string answer_of(Client& client);
/// Asks on a connection of its own.
[[nodiscard]] std::string ask(const MailMapUnderTest& map, const std::string& headers);

/// Whether it becomes true before long.
[[nodiscard]] bool eventually(const std::function<bool()>& condition);

}  // namespace scalemark::testbed
