// A PostgreSQL of a test's own: in a temporary folder, on a socket there and on no port, gone at the end.
//
// The server refuses to run as root, so for root it runs as the user postgres, or nobody. Belongs to one
// thread; throws std::runtime_error when something fails.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/child_process.h"

struct pg_conn;

namespace scalemark::test_support {

/// A connection that waits for its answers.
class PostgresSession {
 public:
  explicit PostgresSession(const std::string& database);
  ~PostgresSession();
  PostgresSession(const PostgresSession&) = delete;
  PostgresSession& operator=(const PostgresSession&) = delete;

  /// Runs one or more statements; the first value of the last one's first row, or "".
  std::string run(const std::string& statements);

 private:
  pg_conn* server_;
};

class Postgres {
 public:
  /// Why there can be none on this machine; "" when there can.
  [[nodiscard]] static std::string missing();

  /// Makes a cluster and starts it.
  Postgres();
  ~Postgres();
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  /// How clients reach it; `user` must exist. The superuser is postgres, and nobody needs a password.
  [[nodiscard]] std::string database(const std::string& user = "postgres",
                                     const std::string& name = "postgres") const;
  /// Starts it again and returns when it can be used.
  void start();
  /// Ends it and all connections to it.
  void stop();

 private:
  [[nodiscard]] ChildSpec spec(std::vector<std::string> argv) const;

  std::filesystem::path home_;
  User user_;
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace scalemark::test_support
