// The mail map's look-ups: a fixed number of connections to PostgreSQL and a waiting line of bounded length.
//
// Every look-up is answered, within its time-out, which begins when it comes and covers its place in the line
// and connecting. While the database is away the connections try again after growing pauses of at most a
// second, and look-ups wait for that like for anything else. A look-up whose connection breaks is asked once
// more on another. Which table is asked, and how, is known in mail_map_connection.cc.
//
// All of it runs on one event loop and belongs to its thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/event_loop.h"
#include "testbed/mail_map_answer.h"
#include "testbed/mail_map_connection.h"
#include "testbed/mail_map_trouble.h"

namespace scalemark::testbed {

struct MailMapDatabasePlan {
  std::string database;  ///< as PostgreSQL's clients take it: "host=/run/pg dbname=mail user=mailmap"
  std::uint32_t connections = 4;                ///< never more
  std::uint32_t waiting = 1024;                 ///< look-ups that may wait for one
  Duration time_out = std::chrono::seconds(2);  ///< of a look-up
};

class MailMapDatabase final : private MailMapConnection::Owner {
 public:
  using Notice = std::function<void(const std::string& line)>;
  using Answer = std::function<void(const MailMapRow&)>;

  /// `notice` is given a line when the database is lost and when it is back. Throws UsageError for a plan
  /// that can never work.
  MailMapDatabase(EventLoop& loop, const MailMapDatabasePlan& plan, Notice notice);

  /// Begins to connect.
  void start();
  /// Looks a mailbox up; `answer` is called exactly once, perhaps before this returns.
  void look_up(std::string name, Answer answer);
  /// Answers all that wait with `stopping`, and whatever comes later.
  void stop();

 private:
  void on_free(MailMapConnection& connection) override;
  void on_answered() override;
  void on_failed_look_up(const std::string& why) override;
  void on_broken(const std::string& why) override;
  void on_returned(MailMapLookUp look_up) override;

  [[nodiscard]] bool any_usable() const;
  void enter(MailMapLookUp look_up);
  void wait_in_line(MailMapLookUp look_up);
  void expire();
  void set_timer();
  void say(const std::string& line) const;

  MailMapAccess access_;
  std::uint32_t waiting_;
  Notice notice_;
  SteadyClock clock_;
  MailMapTrouble trouble_;
  std::deque<MailMapLookUp> line_;
  Timer line_timer_;
  bool stopped_ = false;
  std::vector<std::unique_ptr<MailMapConnection>> connections_;
};

}  // namespace scalemark::testbed
