// The mail benchmark as a person runs it, against the built-in sink: what the ledger says must be what the
// sink's own log says, message for message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "tests/app/program.h"
#include "tests/e2e/mail_case.h"

namespace scalemark::e2e {
namespace {

using ::testing::HasSubstr;

std::uint64_t class_of(const Json& iteration, const char* name) {
  return iteration.at("ledger").at("classes").at(name).get<std::uint64_t>();
}

TEST(MailRun, EveryMessageIsWhereTheServersLogSaysItIs) {
  const MailSinkProcess sink;
  const MailFinished run = run_mail(sink, {"--users", "12", "--window", "2s"});
  ASSERT_TRUE(ran(run)) << run.out << run.err;
  const Json& iteration = run.iteration();
  const auto events = sink.events();
  EXPECT_GT(class_of(iteration, "verified"), 50U);
  EXPECT_EQ(events.at("delivered"), iteration.at("smtp").at("run").at("good").get<std::uint64_t>());
  EXPECT_EQ(events.at("delivered"), iteration.at("ledger").at("planned").get<std::uint64_t>());
  EXPECT_EQ(events.at("retrieved"), iteration.at("pop3").at("retrieved").at("run").get<std::uint64_t>());
  EXPECT_EQ(events.at("deleted"), class_of(iteration, "verified"));
}

TEST(MailRun, TheScoreIsWhatEndedInTheWindowOverItsLength) {
  const MailSinkProcess sink;
  const MailFinished run = run_mail(sink, {"--users", "4", "--window", "2s", "--rate-cap", "36000"});
  ASSERT_TRUE(ran(run)) << run.out << run.err;
  const Json& iteration = run.iteration();
  const auto good = iteration.at("accounting").at("window").at("good").get<double>();
  const auto seconds = iteration.at("window_seconds").get<double>();
  EXPECT_DOUBLE_EQ(run.record.score.value, good * 3600 / seconds);
  EXPECT_NEAR(good, 20, 4);  // ten a second for all users together, and one that may straddle each edge
}

TEST(MailRun, WhatAnEarlierRunLeftIsThrownAwayAndNeverCounted) {
  const MailSinkProcess sink;
  const MailFinished first = run_mail(sink, {"--users", "3", "--window", "1s", "--keep-mailboxes"});
  ASSERT_TRUE(ran(first)) << first.out << first.err;
  // One message to each of the three that no run of scalemark will ever claim.
  sink.deliver("user0001@example.test", "Subject: hello\r\n\r\nby hand\r\n");
  const MailFinished second = run_mail(sink, {"--users", "3", "--window", "1s"});
  ASSERT_TRUE(ran(second)) << second.out << second.err;
  EXPECT_EQ(second.record.context.at("emptied_messages"), 1);
  EXPECT_EQ(second.iteration().at("ledger").at("foreign"), 0);
  sink.deliver("user0002@example.test", "Subject: hello\r\n\r\nby hand\r\n");
  const MailFinished third = run_mail(sink, {"--users", "3", "--window", "1s", "--keep-mailboxes"});
  ASSERT_TRUE(ran(third)) << third.out << third.err;
  EXPECT_EQ(third.iteration().at("ledger").at("foreign"), 1);
  EXPECT_EQ(third.iteration().at("ledger").at("planned").get<std::uint64_t>(),
            class_of(third.iteration(), "verified"));
}

TEST(MailRun, AMessageThatAppearsLateIsFetchedInTheDrain) {
  const MailSinkProcess sink({"--visible-after", "1500ms"});
  const MailFinished run =
      run_mail(sink, {"--users", "2", "--window", "1s", "--under-way", "2", "--visible-limit", "1s"});
  ASSERT_TRUE(run.code == 4 || run.code == 5) << run.out;  // no operation ended within the window
  const Json& ledger = run.iteration().at("ledger");
  EXPECT_EQ(ledger.at("planned"), 4);
  EXPECT_EQ(ledger.at("late"), 4);
  EXPECT_EQ(class_of(run.iteration(), "verified"), 4U);
}

TEST(MailRun, AServerThatDiesInTheWindowVoidsTheRunAndEveryMessageStillHasAClass) {
  MailSinkProcess sink;
  app::Program program(mail_words(sink, {"--users", "8", "--window", "2s", "--drain", "1s"}));
  wait_for_mail_load(program);
  sink.send(SIGKILL);
  const int code = program.wait();
  EXPECT_TRUE(code == 4 || code == 5) << program.out() << program.err();
  const RunRecord record = read_record(mail_record_path());
  const Json& ledger = record.iterations.at(0).at("ledger");
  std::uint64_t sum = 0;
  for (const auto& [name, count] : ledger.at("classes").items()) {
    sum += count.get<std::uint64_t>();
  }
  EXPECT_EQ(sum, ledger.at("planned").get<std::uint64_t>());
  EXPECT_GT(class_of(record.iterations.at(0), "not_connected"), 0U);
}

TEST(MailRun, CtrlCWritesAPartialRecord) {
  const MailSinkProcess sink;
  app::Program program(mail_words(sink, {"--users", "4", "--window", "60s"}));
  wait_for_mail_load(program);
  program.send(SIGINT);
  EXPECT_EQ(program.wait(), 130) << program.err();
  const RunRecord record = read_record(mail_record_path());
  EXPECT_EQ(record.verdict.status, Status::interrupted);
  EXPECT_EQ(record.iterations.size(), 1U);
}

TEST(MailRun, AUserThatMayNotLogInIsNamedBeforeAnyLoad) {
  const MailSinkProcess sink({"--accounts", accounts_file(2).string()});
  const MailFinished run = run_mail(sink, {"--users", "3", "--window", "1s"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("user0003@example.test"));
  EXPECT_EQ(sink.events().count("delivered"), 0U);
}

TEST(Mailboxes, AreShownAndEmptied) {
  const MailSinkProcess sink;
  sink.deliver("user0002@example.test", "Subject: one\r\n\r\n1\r\n");
  sink.deliver("user0002@example.test", "Subject: two\r\n\r\n2\r\n");
  const auto look = [&sink](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"mailboxes", "--pop3", sink.pop3(), "--accounts",
                                      accounts_file(3).string()};
    words.insert(words.end(), more.begin(), more.end());
    app::Program program(words);
    EXPECT_EQ(program.wait(), 0) << program.err();
    return program.out();
  };
  EXPECT_THAT(look({}), HasSubstr("user0002@example.test"));
  look({"--empty"});
  EXPECT_EQ(sink.events().at("deleted"), 2U);
}

}  // namespace
}  // namespace scalemark::e2e
