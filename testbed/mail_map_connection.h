// One connection of the mail map to its database: made, made again when it breaks, and asked one thing at a
// time.
//
// All of it runs on an event loop and never waits, but for the resolver when the database is named by a
// host's name instead of a folder or an address. The statement is prepared anew with each connection. The
// server is told to give up a statement after the look-up's time-out, so a connection whose look-up was slow
// becomes free by itself; when not even that happens it is closed and made again. One event loop, one thread;
// stays at one address.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/clock.h"
#include "core/event_loop.h"
#include "core/socket_watch.h"
#include "testbed/mail_map_answer.h"

struct pg_conn;
struct pg_result;

namespace scalemark::testbed {

/// A mailbox to be looked up, and whom to tell.
struct MailMapLookUp {
  std::string name;
  TimePoint deadline;  ///< it is answered by then, whatever happens
  std::function<void(const MailMapRow&)> answer;
  bool tried = false;  ///< a connection broke under it: not a second time
};

/// How to reach the database.
struct MailMapAccess {
  std::string database;  ///< as PostgreSQL's clients take it: "host=/run/pg dbname=mail user=mailmap"
  Duration time_out{};   ///< of a statement, in whole milliseconds
};

class MailMapConnection {
 public:
  /// Who uses it. None of these calls may destroy it.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// It can be asked now: it has been made, or a look-up has ended.
    virtual void on_free(MailMapConnection& connection) = 0;
    /// The database has answered a look-up.
    virtual void on_answered() = 0;
    /// It has answered one with an error, `why`.
    virtual void on_failed_look_up(const std::string& why) = 0;
    /// It broke, or could not be made: a next attempt follows by itself.
    virtual void on_broken(const std::string& why) = 0;
    /// It broke with a look-up under way that has not been answered.
    virtual void on_returned(MailMapLookUp look_up) = 0;
  };

  static constexpr Duration kFirstPause = std::chrono::milliseconds(50);  ///< then twice as long each time
  static constexpr Duration kLongestPause = std::chrono::seconds(1);
  static constexpr Duration kPatience = std::chrono::seconds(5);  ///< for one attempt to connect

  /// `access` and `owner` must outlive it.
  MailMapConnection(EventLoop& loop, const MailMapAccess& access, Owner& owner);
  ~MailMapConnection();
  MailMapConnection(const MailMapConnection&) = delete;
  MailMapConnection& operator=(const MailMapConnection&) = delete;

  /// Begins to connect, once.
  void start() { connect(); }
  /// Whether it can be asked.
  [[nodiscard]] bool free() const { return state_ == State::free; }
  /// Whether it has been made and has not broken.
  [[nodiscard]] bool usable() const { return state_ >= State::free; }
  /// Only when free.
  void ask(MailMapLookUp look_up);
  /// The look-up that is under way, taken from it, if there is one; it tells nobody any more.
  [[nodiscard]] std::optional<MailMapLookUp> take_look_up();

 private:
  enum class State : std::uint8_t { away, connecting, preparing, free, asked };

  static void on_socket(int fd, short what, void* self);
  static void on_notice(void* self, const pg_result* notice);
  void connect();
  void go_on_connecting();
  void prepare();
  void send();
  void receive(bool writable);
  void on_result();
  void on_error(const std::string& code, const std::string& why);
  void become_free();
  void tell(const MailMapRow& row);
  void lose(const std::string& why);
  void close();
  void wait_until(TimePoint due);
  void on_timer();
  [[nodiscard]] std::string complaint() const;

  EventLoop& loop_;
  const MailMapAccess& access_;
  Owner& owner_;
  SteadyClock clock_;
  State state_ = State::away;
  pg_conn* server_ = nullptr;
  pg_result* result_ = nullptr;           // of what was sent last, until all of it is there
  std::optional<MailMapLookUp> look_up_;  // asked without one: it was answered when its time was over
  Duration pause_ = kFirstPause;
  std::string parting_words_;       // the server's, when it ends the connection unasked
  std::optional<TimePoint> due_{};  // when the present state ends by itself
  SocketWatch watch_;
  Timer timer_;
};

}  // namespace scalemark::testbed
