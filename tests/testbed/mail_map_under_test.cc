#include "tests/testbed/mail_map_under_test.h"

#include <poll.h>

#include <chrono>

namespace scalemark::testbed {
namespace {

using test_support::PostgresSession;

// The table is a view, so that one mailbox can be slow: as long as somebody else has the lock 1.
constexpr const char* kSchema = R"(
  create role mailmap login;
  create table boxes(name text primary key, password text not null, node inet);
  insert into boxes select 'u' || n || '@bench.test', 'secret' || n, ('10.0.0.' || n)::inet
    from generate_series(1, 50) n;
  insert into boxes values ('held@bench.test', 'held', '10.0.0.99');
  create function wait_for_lock() returns boolean language plpgsql volatile as
    'begin perform pg_advisory_xact_lock_shared(1); return true; end';
  create view mailboxes as select name, password, node from boxes
    where name <> 'held@bench.test' or wait_for_lock();
  grant select on mailboxes to mailmap)";

}  // namespace

MailboxDatabase::MailboxDatabase() {
  run(kSchema);
}

std::string MailboxDatabase::run(const std::string& statements) const {
  return PostgresSession(server_.database()).run(statements);
}

std::unique_ptr<PostgresSession> MailboxDatabase::hold() const {
  auto session = std::make_unique<PostgresSession>(server_.database());
  session->run("select pg_advisory_lock(1)");
  return session;
}

std::unique_ptr<PostgresSession> MailboxDatabase::lock() const {
  auto session = std::make_unique<PostgresSession>(server_.database());
  session->run("begin; lock table mailboxes in access exclusive mode");
  return session;
}

int MailboxDatabase::connections() const {
  return std::stoi(run("select count(*) from pg_stat_activity where usename = 'mailmap'"));
}

int MailboxDatabase::ready_connections() const {
  return std::stoi(
      run("select count(*) from pg_stat_activity "
          "where usename = 'mailmap' and state = 'idle' and query like 'select host%'"));
}

MailMapUnderTest::MailMapUnderTest(MailMapPlan plan) {
  plan.listen = "127.0.0.1:0";
  plan.notice = [this](const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    notices_.push_back(line);
  };
  map_ = std::make_unique<MailMapServer>(plan);
  thread_ = std::thread([this] { map_->run(); });
}

MailMapUnderTest::~MailMapUnderTest() {
  end();
}

std::vector<std::string> MailMapUnderTest::notices() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return notices_;
}

MailMapCounters MailMapUnderTest::end() {
  if (thread_.joinable()) {
    map_->stop();
    thread_.join();
  }
  return map_->counters();
}

MailMapPlan plan_for(const MailboxDatabase& database) {
  MailMapPlan plan;
  plan.database.database = database.access();
  plan.database.time_out = std::chrono::seconds(8);  // less than a client's patience
  return plan;
}

std::string for_recipient(const std::string& address) {
  return "Auth-Protocol: smtp\r\nAuth-Method: none\r\nAuth-User: \r\nAuth-Pass: \r\nAuth-SMTP-To: RCPT TO:<" +
         address + ">\r\n";
}

std::string for_login(const std::string& user, const std::string& password) {
  return "Auth-Protocol: pop3\r\nAuth-Method: plain\r\nAuth-User: " + user + "\r\nAuth-Pass: " + password +
         "\r\n";
}

std::string answer_of(Client& client) {
  const auto answer = client.answer();
  if (!answer || answer->status != 200) {
    return "(none)";
  }
  const auto header = [&answer](const char* name) {
    const auto at = answer->headers.find(name);
    return at == answer->headers.end() ? std::string() : at->second;
  };
  const std::string status = header("Auth-Status");
  if (status == "OK") {
    return "OK " + header("Auth-Server") + ":" + header("Auth-Port");
  }
  const std::string code = header("Auth-Error-Code");
  return code.empty() ? status : code + " " + status;
}

std::string ask(const MailMapUnderTest& map, const std::string& headers) {
  Client client(map.address());
  client.request("/auth", "GET", headers);
  return answer_of(client);
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    ::poll(nullptr, 0, 5);
  }
  return true;
}

}  // namespace scalemark::testbed
