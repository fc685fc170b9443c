#include "tests/support/postgres.h"

#include <libpq-fe.h>
#include <poll.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace scalemark::test_support {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr const char* kPort = "5499";  // part of the socket's name, and nothing else

/// The folder of the server's programs: Debian's newest version, or where PATH finds them; "" when there is
/// none.
std::filesystem::path program_folder() {
  std::vector<std::pair<int, std::filesystem::path>> versions;
  std::error_code none;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none)) {
    if (::access((version.path() / "bin/initdb").c_str(), X_OK) == 0) {
      versions.emplace_back(std::atoi(version.path().filename().c_str()), version.path() / "bin");
    }
  }
  if (!versions.empty()) {
    return std::max_element(versions.begin(), versions.end())->second;
  }
  const char* path = ::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/initdb").c_str(), X_OK) == 0 &&
        ::access((folder + "/postgres").c_str(), X_OK) == 0) {
      return folder;
    }
  }
  return {};
}

/// Whom the server runs as: the caller, or for root somebody else.
User server_user() {
  User user{::geteuid(), ::getegid()};
  for (const char* name : {"postgres", "nobody"}) {
    const passwd* entry = user.uid == 0 ? ::getpwnam(name) : nullptr;
    if (entry != nullptr) {
      user = {entry->pw_uid, entry->pw_gid};
    }
  }
  return user;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

// --- A session -------------------------------------------------------------------------------------------

PostgresSession::PostgresSession(const std::string& database) : server_(PQconnectdb(database.c_str())) {
  if (PQstatus(server_) != CONNECTION_OK) {
    const std::string why = PQerrorMessage(server_);
    PQfinish(server_);
    throw std::runtime_error("no connection to PostgreSQL: " + why);
  }
}

PostgresSession::~PostgresSession() {
  PQfinish(server_);
}

std::string PostgresSession::run(const std::string& statements) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(server_, statements.c_str()), &PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw std::runtime_error(statements + ": " + PQerrorMessage(server_));
  }
  const bool has_value = PQntuples(result.get()) > 0 && PQnfields(result.get()) > 0;
  return has_value ? PQgetvalue(result.get(), 0, 0) : "";
}

// --- The server ------------------------------------------------------------------------------------------

std::string Postgres::missing() {
  if (program_folder().empty()) {
    return "there is no PostgreSQL server on this machine (packages.txt names the package)";
  }
  return server_user().uid == 0 ? "PostgreSQL does not run as root, and there is no other user" : "";
}

Postgres::Postgres() : user_(server_user()) {
  std::string pattern = std::filesystem::temp_directory_path() / "scalemark-postgres-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("no temporary folder");
  }
  home_ = pattern;
  if (::chown(home_.c_str(), user_.uid, user_.gid) != 0) {
    throw std::runtime_error("cannot give " + pattern + " to another user");
  }
  run_to_end(spec({program_folder() / "initdb", "-D", home_ / "data", "-U", "postgres", "-A", "trust", "-N",
                   "--no-instructions", "-E", "UTF8", "--locale=C"}));
  start();
}

Postgres::~Postgres() {
  if (server_ != nullptr) {
    stop();
  }
  std::error_code ignored;
  std::filesystem::remove_all(home_, ignored);
}

ChildSpec Postgres::spec(std::vector<std::string> argv) const {
  return {std::move(argv), home_ / "log", user_.uid == ::geteuid() ? nullptr : &user_, SIGQUIT};
}

std::string Postgres::database(const std::string& user, const std::string& name) const {
  return "host=" + home_.string() + " port=" + kPort + " dbname=" + name + " user=" + user;
}

void Postgres::start() {
  server_ = std::make_unique<ChildProcess>(
      spec({program_folder() / "postgres", "-D", home_ / "data", "-c", "listen_addresses=", "-c",
            "unix_socket_directories=" + home_.string(), "-c", std::string("port=") + kPort, "-c",
            "fsync=off", "-c", "shared_buffers=8MB", "-c", "max_connections=40", "-c", "autovacuum=off"}));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (PQping(database().c_str()) != PQPING_OK) {
    if (!server_->runs() || std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("PostgreSQL does not start: " + text_of(home_ / "log"));
    }
    ::poll(nullptr, 0, 5);
  }
}

void Postgres::stop() {
  server_->send(SIGINT);  // at once, with all connections
  server_->wait();
  server_.reset();
}

}  // namespace scalemark::test_support
