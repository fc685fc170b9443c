#include "app/mail_map_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "tests/app/console_capture.h"
#include "tests/app/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/support/sockets.h"

namespace scalemark::app {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

/// Asks for a mailbox at "127.0.0.1:41234" and returns the whole answer.
std::string ask(const std::string& where, const std::string& headers) {
  const auto port = static_cast<std::uint16_t>(std::stoi(where.substr(where.rfind(':') + 1)));
  const auto peer = test_support::endpoint_at("127.0.0.1", port);
  const test_support::Descriptor socket(
      test_support::checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  test_support::checked(::connect(socket.get(), peer.get(), peer.length), "connect");
  const std::string request = "GET /auth HTTP/1.0\r\n" + headers + "\r\n";
  EXPECT_EQ(::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string answer;
  std::string part(65'536, '\0');
  for (ssize_t got = 0; (got = ::recv(socket.get(), part.data(), part.size(), 0)) > 0;) {
    answer.append(part, 0, static_cast<std::size_t>(got));
  }
  return answer;
}

// A database that is not there is enough for what the command itself does.
TEST(MailMapCommandTest, ServesWithoutADatabaseAndSaysWhatBecameOfIt) {
  const TemporaryFolder nothing;
  Program map({"mail-map", "--listen", "127.0.0.1:0", "--time-out", "50ms", "--database",
               "host=" + nothing.path().string() + " dbname=mail user=mailmap"});
  const std::string address = map.read_line();
  EXPECT_THAT(address, MatchesRegex("127.0.0.1:[0-9]+"));
  EXPECT_THAT(map.read_error_line(),
              StartsWith("scalemark: the database is lost: connection to server on socket"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(
        ask(address, "Auth-Protocol: smtp\r\nAuth-Method: none\r\nAuth-SMTP-To: RCPT TO:<a@b.test>\r\n"),
        HasSubstr("Auth-Error-Code: 451 4.3.0\r\n"));
  }
  EXPECT_THAT(ask(address, ""), HasSubstr("Auth-Status: this mail map knows smtp and pop3 alone\r\n"));
  map.send(SIGTERM);
  EXPECT_EQ(map.wait(), 0);
  EXPECT_THAT(map.out(), HasSubstr("\n2 look-ups: 0 found, 0 unknown, 0 wrong password, 2 temporary failures "
                                   "(database away 2); 1 question not understood\n"));
  EXPECT_EQ(std::count(map.err().begin(), map.err().end(), '\n'), 1) << map.err();
}

TEST(MailMapCommandTest, NeedsADatabase) {
  ConsoleCapture capture;
  EXPECT_EQ(capture.run({"mail-map"}), 2);
  EXPECT_THAT(capture.err(), HasSubstr("no database is named"));
  ConsoleCapture wrong;
  EXPECT_EQ(wrong.run({"mail-map", "--listen", "127.0.0.1:0", "--database", "host"}), 2);
  EXPECT_THAT(wrong.err(), HasSubstr("'host' names no database: missing \"=\" after \"host\""));
}

TEST(MailMapCommandTest, ThePlanShowsEverySetting) {
  ConsoleCapture capture;
  EXPECT_EQ(capture.run({"mail-map", "--database", "dbname=mail", "--print-plan"}), 0) << capture.err();
  for (const char* line : {"listen = \"127.0.0.1:9000\"", "database = \"dbname=mail\"", "connections = 4",
                           "time-out = \"2s\"", "waiting = 1024", "smtp-port = 25", "pop3-port = 110"}) {
    EXPECT_THAT(capture.out(), HasSubstr(line));
  }
}

}  // namespace
}  // namespace scalemark::app
