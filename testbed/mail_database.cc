#include "testbed/mail_database.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "core/error.h"
#include "core/run_record.h"
#include "testbed/mail_paths.h"
#include "testbed/process.h"
#include "testbed/topology.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

constexpr Duration kAskAgain = std::chrono::milliseconds(10);
constexpr const char* kOwner = "postgres";  // PostgreSQL refuses to run as root

// Whoever may log in to this machine may read the map, and nobody but root and the owner may do more: a
// superuser of a database can start programs.
constexpr const char* kWhoMayConnect = R"(# Written by scalemark for an emulated cluster.
local mail mailmap trust
local all postgres peer map=owners
)";
constexpr const char* kOwners = R"(owners root postgres
owners postgres postgres
)";

fs::path data_folder(const ClusterPlan& plan) {
  return mail_database_folder(plan) / "data";
}

std::vector<std::string> as_owner(std::vector<std::string> words) {
  std::vector<std::string> argv = {"/usr/bin/setpriv", fmt::format("--reuid={}", kOwner),
                                   fmt::format("--regid={}", kOwner), "--init-groups", "--"};
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

std::string connection_text(const ClusterPlan& plan, const char* database, const char* user) {
  return fmt::format("host={} port={} dbname={} user={}", mail_database_socket(plan).string(),
                     kMailDatabasePort, database, user);
}

/// One connection.
class Database {
 public:
  explicit Database(const std::string& where) : connection_(PQconnectdb(where.c_str()), &PQfinish) {}

  [[nodiscard]] bool connected() const { return PQstatus(connection_.get()) == CONNECTION_OK; }
  [[nodiscard]] std::string complaint() const {
    std::string text = PQerrorMessage(connection_.get());
    while (text.ends_with('\n')) {
      text.pop_back();
    }
    return text;
  }
  void run(const std::string& sql) { expect(PQexec(connection_.get(), sql.c_str())); }
  /// COPY ... FROM STDIN
  void copy(const std::string& sql, const std::string& rows) {
    expect(PQexec(connection_.get(), sql.c_str()), PGRES_COPY_IN);
    if (PQputCopyData(connection_.get(), rows.data(), static_cast<int>(rows.size())) != 1 ||
        PQputCopyEnd(connection_.get(), nullptr) != 1) {
      fail();
    }
    expect(PQgetResult(connection_.get()));
    expect_end();
  }

 private:
  [[noreturn]] void fail() const {
    throw RunError(fmt::format("the map of mailboxes cannot be filled: {}", complaint()));
  }
  void expect(PGresult* result, ExecStatusType wanted = PGRES_COMMAND_OK) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> owned(result, &PQclear);
    if (PQresultStatus(owned.get()) != wanted) {
      fail();
    }
  }
  void expect_end() {
    const std::unique_ptr<PGresult, decltype(&PQclear)> owned(PQgetResult(connection_.get()), &PQclear);
    if (owned != nullptr) {
      fail();
    }
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

void await_server(const ClusterPlan& plan, Duration patience) {
  const auto deadline = SteadyClock().now() + patience;
  for (;;) {
    const Database database(connection_text(plan, kOwner, kOwner));
    if (database.connected()) {
      return;
    }
    if (SteadyClock().now() >= deadline) {
      const std::string said = complaint_of(setup_mail_database(plan, "/"));
      throw RunError(fmt::format("the database of the mail cluster does not serve: {}{}{}",
                                 database.complaint(), said.empty() ? "" : "; it says: ", said));
    }
    std::this_thread::sleep_for(kAskAgain);
  }
}

std::string rows(const ClusterPlan& plan, const std::vector<MailAccount>& mailboxes) {
  const Topology topology = topology_of(plan.name);
  std::string text;
  for (const MailAccount& mailbox : mailboxes) {
    text +=
        fmt::format("{}\t{}\t{}\n", mailbox.address, mailbox.password, topology.node(mailbox.node).address);
  }
  return text;
}

/// The version in a folder's name, 0 when it is none.
int version_of(const fs::path& folder) {
  const std::string name = folder.filename();
  const bool digits =
      !name.empty() && name.size() < 5 && name.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::stoi(name) : 0;
}

}  // namespace

fs::path postgres_programs() {
  std::error_code ignored;
  fs::path newest;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const bool whole = fs::exists(entry.path() / "bin/postgres", ignored) &&
                       fs::exists(entry.path() / "bin/initdb", ignored);
    if (whole && version_of(entry.path()) > version_of(newest)) {
      newest = entry.path();
    }
  }
  if (!newest.empty()) {
    return newest / "bin";
  }
  const fs::path postgres = find_program("postgres");
  return !postgres.empty() && fs::exists(postgres.parent_path() / "initdb", ignored) ? postgres.parent_path()
                                                                                     : fs::path();
}

std::string mail_map_database(const ClusterPlan& plan) {
  return connection_text(plan, "mail", "mailmap");
}

ServiceSetup setup_mail_database(const ClusterPlan& plan, const fs::path& programs) {
  const fs::path folder = mail_database_folder(plan);
  ServiceSetup setup;
  setup.folders = {folder};
  setup.log = folder / "output.log";
  setup.error_log = setup.log;
  setup.argv = as_owner({programs / "postgres", "-D", data_folder(plan)});
  const std::pair<const char*, std::string> settings[] = {
      {"listen_addresses", ""},
      {"unix_socket_directories", mail_database_socket(plan)},
      {"port", std::to_string(kMailDatabasePort)},
      {"max_connections", "500"},  // each process of a gateway that looks up has its own
      {"shared_buffers", "32MB"},
      {"fsync", "off"},
      {"synchronous_commit", "off"},
      {"full_page_writes", "off"},
  };
  for (const auto& [name, value] : settings) {
    setup.argv.emplace_back("-c");
    setup.argv.push_back(fmt::format("{}={}", name, value));
  }
  return setup;
}

void make_mail_database(const ClusterPlan& plan, const fs::path& programs) {
  std::error_code error;
  for (const fs::path& folder : {data_folder(plan), mail_database_socket(plan)}) {
    fs::create_directories(folder, error);
    if (error) {
      throw RunError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    }
  }
  give_folder(data_folder(plan), kOwner, kOwner, 0700);
  give_folder(mail_database_socket(plan), kOwner, kOwner, 0755);
  run_or_throw(as_owner({programs / "initdb", "-D", data_folder(plan), "-U", kOwner, "-A", "peer",
                         "--encoding=UTF8", "--locale=C", "--no-sync"}));
  write_file(data_folder(plan) / "pg_hba.conf", kWhoMayConnect);
  write_file(data_folder(plan) / "pg_ident.conf", kOwners);
}

void fill_mail_database(const ClusterPlan& plan, const std::vector<MailAccount>& mailboxes,
                        Duration patience) {
  await_server(plan, patience);
  Database server(connection_text(plan, kOwner, kOwner));
  server.run("create role mailmap login");
  server.run("create database mail");
  Database mail(connection_text(plan, "mail", kOwner));
  mail.run("begin");
  mail.run("create table mailboxes(name text primary key, password text not null, node inet not null)");
  mail.copy("copy mailboxes from stdin", rows(plan, mailboxes));
  mail.run("grant select on mailboxes to mailmap");
  mail.run("commit");
  mail.run("analyze mailboxes");
}

}  // namespace scalemark::testbed
