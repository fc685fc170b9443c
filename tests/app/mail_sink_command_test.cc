#include "app/mail_sink_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <string>

#include "tests/app/console_capture.h"
#include "tests/app/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/support/sockets.h"

namespace scalemark::app {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;

/// Sends lines to where "smtp 127.0.0.1:41234" says and returns all answers.
std::string converse(const std::string& where, const std::string& lines) {
  const auto port = static_cast<std::uint16_t>(std::stoi(where.substr(where.rfind(':') + 1)));
  const auto peer = test_support::endpoint_at("127.0.0.1", port);
  const test_support::Descriptor socket(
      test_support::checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  test_support::checked(::connect(socket.get(), peer.get(), peer.length), "connect");
  EXPECT_EQ(::send(socket.get(), lines.data(), lines.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(lines.size()));
  std::string answers;
  std::string part(65'536, '\0');
  for (ssize_t got = 0; (got = ::recv(socket.get(), part.data(), part.size(), 0)) > 0;) {
    answers.append(part, 0, static_cast<std::size_t>(got));
  }
  return answers;
}

TEST(MailSinkCommandTest, SaysWhereItListensAndWhatItHasServed) {
  const TemporaryFolder folder;
  const std::string accounts = folder.path() / "accounts";
  std::ofstream(accounts) << "a@sink.test secret - ann\n";
  Program sink({"mail-sink", "--smtp", "127.0.0.1:0", "--pop3", "127.0.0.1:0", "--accounts", accounts});
  const std::string smtp = sink.read_line();
  const std::string pop3 = sink.read_line();
  EXPECT_THAT(smtp, MatchesRegex("smtp 127.0.0.1:[0-9]+"));
  EXPECT_THAT(pop3, MatchesRegex("pop3 127.0.0.1:[0-9]+"));
  const std::string sent =
      converse(smtp,
               "HELO c\r\nMAIL FROM:<s@c>\r\nRCPT TO:<b@sink.test>\r\nRCPT TO:<a@sink.test>\r\nDATA\r\n"
               "text\r\n.\r\nQUIT\r\n");
  EXPECT_THAT(sent, HasSubstr("550 5.1.1"));
  EXPECT_THAT(sent, HasSubstr("250 2.0.0 kept"));
  EXPECT_THAT(converse(pop3, "USER ann\r\nPASS secret\r\nRETR 1\r\nDELE 1\r\nQUIT\r\n"),
              HasSubstr("\r\ntext\r\n"));
  sink.send(SIGINT);
  EXPECT_EQ(sink.wait(), 0);
  EXPECT_THAT(sink.out(), HasSubstr("\nreceived 1 message, 6 B; retrieved 1, deleted 1; 0 in mailboxes\n"));
}

TEST(MailSinkCommandTest, DiscardingHasNoPop3) {
  Program sink({"mail-sink", "--smtp", "127.0.0.1:0", "--discard"});
  EXPECT_THAT(sink.read_line(), MatchesRegex("smtp 127.0.0.1:[0-9]+"));
  sink.send(SIGTERM);
  EXPECT_EQ(sink.wait(), 0);
  EXPECT_THAT(sink.out(), HasSubstr("\nreceived 0 messages, 0 B, and threw them away\n"));
}

TEST(MailSinkCommandTest, MemoryIsASize) {
  for (const char* size : {"1G", "1000", "3M", "1025K", "1"}) {
    ConsoleCapture capture;
    EXPECT_EQ(capture.run({"mail-sink", "--max-memory", size, "--print-plan"}), 0) << capture.err();
    EXPECT_THAT(capture.out(), ContainsRegex(std::string("max-memory = \"?") + size + "\"?\n"));
  }
  for (const char* size : {"", "0", "5x", "1.5G", "-1", "1KB", "99999999999G"}) {
    ConsoleCapture capture;
    EXPECT_EQ(capture.run({"mail-sink", "--max-memory", size, "--print-plan"}), 2) << size;
    EXPECT_THAT(capture.err(), HasSubstr("--max-memory: ")) << size;
  }
}

TEST(MailSinkCommandTest, CouldNotRunWithoutAccountsToRead) {
  ConsoleCapture capture;
  EXPECT_EQ(capture.run({"mail-sink", "--accounts", "/nonexistent"}), 2);
}

}  // namespace
}  // namespace scalemark::app
