#include "mail_bench/smtp_session.h"

#include <event2/event.h>
#include <event2/event_struct.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "mail_bench/dot_stuffing.h"
#include "mail_bench/smtp_dialogue.h"
#include "mail_bench/smtp_reply.h"

namespace scalemark::mail {
namespace {

// A message up to this size goes out in one write; of a longer one, the next block is made when the one
// before it is with the kernel.
constexpr std::size_t kBlock = std::size_t{64} * 1024;
constexpr int kMostBlocks = 16;  // in a row: one long message must not hold up the others

}  // namespace

/// Does what the dialogue asks for: carries bytes, keeps the time, reports.
class SmtpSession::Inside final : private StreamEvents {
 public:
  explicit Inside(Setup setup);
  ~Inside() override { event_del(&later_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  void send(const Envelope& envelope, const SmtpLogin& login);
  void quit();
  void abandon();
  void sweep(TimePoint now);
  [[nodiscard]] bool busy() const { return busy_; }
  [[nodiscard]] bool connected() const { return stream_.open(); }

 private:
  using Move = SmtpDialogue::Move;
  enum class State : std::uint8_t {
    closed,
    connecting,
    talking,  ///< an attempt is under way on a connection that is up
    idle,
    quitting,
  };
  enum class Text : std::uint8_t {
    none,
    going_out,    ///< some blocks are still to come
    handed_over,  ///< with its dot, but not all of it is with the kernel
  };

  void on_connected() override;
  void on_secured() override;
  void on_data(std::string_view bytes) override;
  void on_flushed() override;
  void on_end(Outcome why) override;

  void connect();
  bool take_reply(bool more_has_come);
  void make(Move move);
  void say();
  void send_text();
  void note_flushed();
  void interrupt(Outcome why, std::string_view words);
  void finish(bool reusable);
  void lose();
  void go_on_later() { event_active(&later_, EV_TIMEOUT, 1); }
  void on_later();

  Setup setup_;
  Stream stream_;
  SmtpDialogue dialogue_;
  ReplyReader reader_;
  event later_;  // what must not happen within a call, or has to wait for its turn
  State state_ = State::closed;
  Text text_ = Text::none;
  bool busy_ = false;
  bool unasked_ = false;         // the reply at hand answers nothing
  bool new_connection_ = false;  // for this attempt
  std::string_view message_;     // the text of this attempt
  std::string_view rest_;        // what of it was not handed over yet
  DotStuffer stuffer_;
  std::string block_;
  std::uint64_t sent_bytes_ = 0;
  TimePoint begun_{};
  TimePoint connect_begun_{};
  TimePoint said_{};  // when the step that goes on began
  TimePoint quit_at_{};
};

SmtpSession::Inside::Inside(Setup setup)
    : setup_(std::move(setup)), stream_(setup_.loop, *this), dialogue_(setup_.settings) {
  event_assign(
      &later_, setup_.loop, -1, 0, [](int, short, void* self) { static_cast<Inside*>(self)->on_later(); },
      this);
}

void SmtpSession::Inside::send(const Envelope& envelope, const SmtpLogin& login) {
  begun_ = setup_.clock.now();
  busy_ = true;
  new_connection_ = false;
  message_ = envelope.text;
  sent_bytes_ = 0;
  dialogue_.begin(envelope, login);
  if (state_ != State::idle || stream_.stale()) {
    connect();
  } else if (dialogue_.resume() == Move::done) {
    go_on_later();  // refused before anything was said
  } else {
    state_ = State::talking;
    said_ = begun_;
    say();
  }
}

void SmtpSession::Inside::connect() {
  new_connection_ = true;
  unasked_ = false;
  reader_.reset();
  dialogue_.connecting();
  state_ = State::connecting;
  connect_begun_ = setup_.clock.now();
  stream_.part();
  stream_.connect(setup_.peer, setup_.from);
}

void SmtpSession::Inside::on_connected() {
  said_ = setup_.clock.now();
  setup_.times.on_step(Step::smtp_connect, said_ - connect_begun_);
  state_ = State::talking;
  dialogue_.connected();
  if (setup_.settings.tls == TlsUse::implicit) {
    stream_.start_tls(*setup_.settings.tls_context);
  }
}

void SmtpSession::Inside::on_secured() {
  const TimePoint now = setup_.clock.now();
  setup_.times.on_step(Step::smtp_tls, now - said_);
  said_ = now;
  make(dialogue_.secured());
}

void SmtpSession::Inside::on_data(std::string_view bytes) {
  if (state_ == State::quitting) {
    return;  // whatever it says to the farewell
  }
  if (state_ == State::idle) {
    stream_.part();  // 421, or something else that was not asked for
    lose();
    return;
  }
  note_flushed();
  while (!bytes.empty()) {
    bytes.remove_prefix(reader_.feed(bytes));
    if (reader_.state() == ReplyReader::State::malformed) {
      interrupt(Outcome::malformed, reader_.reply().text);
      return;
    }
    if (reader_.state() == ReplyReader::State::reading || !take_reply(!bytes.empty())) {
      return;
    }
  }
}

/// Returns whether the attempt goes on over this connection, so that what more has come is looked at.
bool SmtpSession::Inside::take_reply(bool more_has_come) {
  const TimePoint now = setup_.clock.now();
  const std::optional<Step> step = dialogue_.step();
  const SmtpReply reply = reader_.reply();
  const Move move = unasked_ ? dialogue_.on_unasked_reply(reply) : dialogue_.on_reply(reply);
  reader_.reset();
  if (step && dialogue_.step_ended()) {
    setup_.times.on_step(*step, now - said_);
  }
  if (dialogue_.step() != step && !dialogue_.out().empty()) {
    said_ = now;
  }
  if (more_has_come && move == Move::secure) {
    interrupt(Outcome::tls_failed, "the server sent something before the TLS handshake");
    return false;
  }
  if (more_has_come && (move == Move::send_text || !dialogue_.out().empty())) {
    // A reply to what was not said yet. Nothing more is said; it may announce the end.
    dialogue_.out().clear();
    unasked_ = true;
    return true;
  }
  if (move == Move::done) {
    finish(!more_has_come);
    return false;
  }
  make(move);
  return move == Move::wait;
}

void SmtpSession::Inside::make(Move move) {
  switch (move) {
    case Move::wait:
      say();
      break;
    case Move::secure:
      said_ = setup_.clock.now();
      stream_.start_tls(*setup_.settings.tls_context);
      break;
    case Move::send_text:
      text_ = Text::going_out;
      rest_ = message_;
      send_text();
      break;
    case Move::reopen:
      connect();
      break;
    case Move::done:
      finish(true);
      break;
  }
}

void SmtpSession::Inside::say() {
  std::string& out = dialogue_.out();
  if (!out.empty()) {
    sent_bytes_ += out.size();
    stream_.write(out);
    out.clear();
  }
}

void SmtpSession::Inside::send_text() {
  for (int blocks = 0; blocks < kMostBlocks; ++blocks) {
    block_.clear();
    stuffer_.append(block_, rest_.substr(0, kBlock));
    rest_.remove_prefix(std::min(kBlock, rest_.size()));
    if (rest_.empty()) {
      stuffer_.finish(block_);
      text_ = Text::handed_over;
    }
    sent_bytes_ += block_.size();
    stream_.write(block_);
    if (text_ == Text::handed_over) {
      note_flushed();
      return;
    }
    if (!stream_.flushed()) {
      return;  // on_flushed() goes on
    }
  }
  go_on_later();
}

void SmtpSession::Inside::on_flushed() {
  if (text_ == Text::going_out) {
    send_text();
  } else {
    note_flushed();
  }
}

void SmtpSession::Inside::note_flushed() {
  if (text_ == Text::handed_over && stream_.flushed()) {
    text_ = Text::none;
    said_ = setup_.clock.now();
    dialogue_.text_sent();
  }
}

void SmtpSession::Inside::on_later() {
  if (text_ == Text::going_out) {
    send_text();
  } else {
    finish(true);
  }
}

void SmtpSession::Inside::on_end(Outcome why) {
  if (state_ == State::connecting || state_ == State::talking) {
    interrupt(why, stream_.reason());
  } else {
    lose();
  }
}

void SmtpSession::Inside::interrupt(Outcome why, std::string_view words) {
  note_flushed();
  make(dialogue_.interrupt(why, words));
}

/// Reports the attempt. Its connection is kept if the dialogue and the caller find it good.
void SmtpSession::Inside::finish(bool reusable) {
  SmtpDialogue::End& end = dialogue_.end();
  const bool farewell = end.outcome == Outcome::closed_early && end.code != 0;
  if (farewell) {
    stream_.part();
  } else if (!reusable || !end.usable) {
    stream_.close();
  }
  state_ = stream_.open() ? State::idle : State::closed;
  event_del(&later_);
  text_ = Text::none;
  stuffer_ = {};
  busy_ = false;
  const TimePoint now = setup_.clock.now();
  if (end.outcome == Outcome::good) {
    setup_.times.on_step(Step::smtp_total, now - begun_);
  }
  SmtpResult result{end.outcome,     end.phase, end.code, std::move(end.words), end.unknown,
                    new_connection_, begun_,    now,      sent_bytes_};
  setup_.events.on_smtp_end(result);
}

/// The connection is gone outside of an attempt.
void SmtpSession::Inside::lose() {
  stream_.close();
  state_ = State::closed;
  if (!busy_) {
    setup_.events.on_smtp_closed();
  }
}

void SmtpSession::Inside::quit() {
  if (state_ != State::idle || busy_) {
    return;
  }
  state_ = State::quitting;
  quit_at_ = setup_.clock.now();
  stream_.write("QUIT\r\n");
}

void SmtpSession::Inside::abandon() {
  event_del(&later_);
  if (state_ == State::quitting) {
    stream_.part();
  } else {
    stream_.close();
  }
  state_ = State::closed;
  text_ = Text::none;
  stuffer_ = {};
  busy_ = false;
}

void SmtpSession::Inside::sweep(TimePoint now) {
  const SmtpSettings& settings = setup_.settings;
  if (state_ == State::quitting) {
    if (now - quit_at_ >= settings.quit_patience) {
      lose();
    }
  } else if (state_ == State::connecting) {
    if (now - connect_begun_ >= settings.connect_timeout || now - begun_ >= settings.timeout) {
      interrupt(Outcome::connect_timeout, {});
    }
  } else if (state_ == State::talking && now - begun_ >= settings.timeout) {
    interrupt(Outcome::read_timeout, {});
  }
}

SmtpSession::SmtpSession(Setup setup) : inside_(std::make_unique<Inside>(std::move(setup))) {}

SmtpSession::~SmtpSession() = default;

void SmtpSession::send(const Envelope& envelope, const SmtpLogin& login) {
  inside_->send(envelope, login);
}

void SmtpSession::quit() {
  inside_->quit();
}

void SmtpSession::abandon() {
  inside_->abandon();
}

void SmtpSession::sweep(TimePoint now) {
  inside_->sweep(now);
}

bool SmtpSession::busy() const {
  return inside_->busy();
}

bool SmtpSession::connected() const {
  return inside_->connected();
}

}  // namespace scalemark::mail
