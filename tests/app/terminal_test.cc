#include "app/terminal.h"

#include <gtest/gtest.h>

#include "tests/app/console_capture.h"

namespace scalemark::app {
namespace {

using namespace std::chrono_literals;

class LiveLineTest : public testing::Test {
 protected:
  LiveLineTest() { clock_.advance(1h); }

  ConsoleCapture capture_;
  ManualClock clock_;
};

TEST_F(LiveLineTest, OnATerminalTheLineIsRewrittenAndGoneAtTheEnd) {
  capture_.console().err_is_terminal = true;
  {
    LiveLine line(capture_.console(), clock_);
    line.show("one");
    clock_.advance(1s);
    line.show("two");
    EXPECT_EQ(capture_.err(), "\rone\x1b[K\rtwo\x1b[K");
  }
  EXPECT_EQ(capture_.err(), "\rone\x1b[K\rtwo\x1b[K\r\x1b[K");
}

TEST_F(LiveLineTest, OnATerminalTextsThatFollowAtOnceAreLeftOut) {
  capture_.console().err_is_terminal = true;
  LiveLine line(capture_.console(), clock_);
  line.show("one");
  line.show("two");
  EXPECT_EQ(capture_.err(), "\rone\x1b[K");
}

TEST_F(LiveLineTest, OnATerminalNoLineIsWiderThanTheTerminal) {
  capture_.console().err_is_terminal = true;
  capture_.console().width = 30;
  LiveLine line(capture_.console(), clock_);
  line.show(std::string(100, 'x'));
  EXPECT_EQ(capture_.err(), "\r" + std::string(26, 'x') + "...\x1b[K");
}

TEST_F(LiveLineTest, ANoticeTakesTheLineAwayFirst) {
  capture_.console().err_is_terminal = true;
  LiveLine line(capture_.console(), clock_);
  line.show("one");
  line.notice("said");
  EXPECT_EQ(capture_.err(), "\rone\x1b[K\r\x1b[Ksaid\n");
}

TEST_F(LiveLineTest, ElsewhereAPlainLineAppearsEveryTenSeconds) {
  LiveLine line(capture_.console(), clock_);
  for (int second = 0; second < 25; ++second) {
    line.show("at " + std::to_string(second));
    clock_.advance(1s);
  }
  EXPECT_EQ(capture_.err(), "at 10\nat 20\n");
}

TEST_F(LiveLineTest, ElsewhereNothingIsEverErased) {
  {
    LiveLine line(capture_.console(), clock_);
    clock_.advance(10s);
    line.show("one");
    line.notice("said");
    line.clear();
  }
  EXPECT_EQ(capture_.err(), "one\nsaid\n");
}

TEST_F(LiveLineTest, ForeignTextsCannotSteerTheTerminal) {
  capture_.console().err_is_terminal = true;
  LiveLine line(capture_.console(), clock_);
  line.notice("a\x1b[2Jb");
  EXPECT_EQ(capture_.err(), "a?[2Jb\n");
}

}  // namespace
}  // namespace scalemark::app
