#include "mail_bench/pop3_session.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/address.h"
#include "mail_bench/dot_stuffing.h"
#include "mail_bench/line_reader.h"
#include "mail_bench/pop3_dialogue.h"

namespace scalemark::mail {
namespace {

constexpr TimePoint kNever = TimePoint::max();
// A message of a corpus has 1 GiB at most; servers add to its head.
constexpr std::size_t kMostText = (std::size_t{1} << 30U) + (std::size_t{1} << 20U);
// Memory that one long message took is given back.
constexpr std::size_t kKeptText = std::size_t{256} * 1024;
// How long a server that has turned us away may take to say good-bye: nothing depends on that.
constexpr Duration kQuitPatience = std::chrono::seconds(2);

}  // namespace

class Pop3Session::Inside final : private StreamEvents {
 public:
  explicit Inside(Setup setup)
      : setup_(std::move(setup)), dialogue_(setup_.settings), stream_(setup_.loop, *this) {}

  void begin(Work work, const Login& login, std::uint32_t most);
  void abandon();
  void sweep(TimePoint now);
  [[nodiscard]] bool busy() const { return busy_; }

 private:
  using Move = Pop3Dialogue::Move;

  void on_connected() override;
  void on_secured() override;
  void on_data(std::string_view bytes) override;
  void on_end(Outcome why) override;

  void take_line(std::string_view& bytes);
  void take_text(std::string_view& bytes);
  void forget_text();
  void follow(Move move, std::string_view rest);
  void note_steps();
  void say(std::string_view rest);
  void secure(std::string_view rest);
  void stop(Outcome why, std::string_view words);
  void end();

  Setup setup_;
  Pop3Dialogue dialogue_;
  LineReader lines_;
  DotReader text_{kMostText};
  bool busy_ = false;
  bool reading_text_ = false;
  bool first_byte_seen_ = true;  // of RETR's reply
  std::uint64_t session_ = 0;    // which one, to see whether an event has ended it
  TimePoint now_{};              // of the event at hand
  std::optional<Step> step_;     // the one that goes on
  TimePoint step_begun_{};
  TimePoint first_byte_at_{};
  TimePoint list_seen_{};
  TimePoint deadline_ = kNever;
  Stream stream_;  // last: it is gone before what its events use
};

void Pop3Session::Inside::begin(Work work, const Login& login, std::uint32_t most) {
  now_ = setup_.clock.now();
  dialogue_.begin(work, login, most);
  dialogue_.result().begun = now_;
  lines_.reset();
  forget_text();
  busy_ = true;
  reading_text_ = false;
  first_byte_seen_ = true;
  ++session_;
  step_ = dialogue_.step();
  step_begun_ = now_;
  deadline_ = now_ + std::min(setup_.settings.connect_timeout, setup_.settings.timeout);
  stream_.connect(setup_.peer, setup_.from);
}

void Pop3Session::Inside::abandon() {
  busy_ = false;
  deadline_ = kNever;
  ++session_;
  stream_.close();
}

void Pop3Session::Inside::sweep(TimePoint now) {
  if (deadline_ <= now) {
    now_ = now;
    const bool connecting = dialogue_.step() == Step::pop3_connect;
    stop(connecting ? Outcome::connect_timeout : Outcome::read_timeout, {});
  }
}

void Pop3Session::Inside::on_connected() {
  now_ = setup_.clock.now();
  deadline_ = dialogue_.result().begun + setup_.settings.timeout;
  follow(dialogue_.connected(), {});
}

void Pop3Session::Inside::on_secured() {
  now_ = setup_.clock.now();
  follow(dialogue_.secured(), {});
}

void Pop3Session::Inside::on_end(Outcome why) {
  now_ = setup_.clock.now();
  stop(why, stream_.reason());
}

void Pop3Session::Inside::on_data(std::string_view bytes) {
  now_ = setup_.clock.now();
  dialogue_.result().received_bytes += bytes.size();
  if (!first_byte_seen_) {
    first_byte_seen_ = true;
    first_byte_at_ = now_;
  }
  const std::uint64_t session = session_;
  while (!bytes.empty() && busy_ && session_ == session) {
    reading_text_ ? take_text(bytes) : take_line(bytes);
  }
}

void Pop3Session::Inside::take_line(std::string_view& bytes) {
  switch (lines_.take(bytes)) {
    case LineReader::Found::line:
      follow(dialogue_.on_line(lines_.line()), bytes);
      break;
    case LineReader::Found::malformed:
      stop(Outcome::malformed, lines_.line());
      break;
    case LineReader::Found::part:
      break;
  }
}

void Pop3Session::Inside::take_text(std::string_view& bytes) {
  bytes.remove_prefix(text_.feed(bytes));
  if (text_.too_long()) {
    stop(Outcome::malformed, "the message does not end");
    return;
  }
  if (!text_.finished()) {
    return;
  }
  reading_text_ = false;
  const std::uint64_t session = session_;
  const bool erase = setup_.events.on_fetched({dialogue_.message().uid, text_.text(), list_seen_, now_});
  forget_text();
  if (session_ == session) {
    follow(dialogue_.fetched(erase), bytes);
  }
}

void Pop3Session::Inside::forget_text() {
  if (text_.text().size() > kKeptText) {
    text_ = DotReader(kMostText);
  } else {
    text_.reset();
  }
}

/// Does what the dialogue asks for. `rest` has come after what it was told.
void Pop3Session::Inside::follow(Move move, std::string_view rest) {
  note_steps();
  switch (move) {
    case Move::wait:
      say(rest);
      break;
    case Move::secure:
      secure(rest);
      break;
    case Move::text:
      setup_.times.on_step(Step::pop3_first_byte, first_byte_at_ - step_begun_);
      reading_text_ = true;
      break;
    case Move::done:
      end();
      break;
  }
}

/// Reports the step that has ended, and begins the next one.
void Pop3Session::Inside::note_steps() {
  if (const std::optional<Step> ended = dialogue_.take_ended_step()) {
    setup_.times.on_step(*ended, now_ - step_begun_);
    step_.reset();
    if (*ended == Step::pop3_list) {
      list_seen_ = now_;
    } else if (*ended == Step::pop3_last_byte) {
      now_ = setup_.clock.now();  // reading the message took its time
    }
  }
  if (step_ != dialogue_.step()) {
    step_ = dialogue_.step();
    step_begun_ = now_;
    first_byte_seen_ = step_ != Step::pop3_last_byte;
  }
}

void Pop3Session::Inside::say(std::string_view rest) {
  std::string& out = dialogue_.out();
  if (out.empty()) {
    return;
  }
  if (!rest.empty()) {
    stop(Outcome::malformed, "the server said more than it was asked for");
    return;
  }
  if (dialogue_.turned_away()) {
    deadline_ = std::min(deadline_, now_ + kQuitPatience);
  }
  stream_.write(out);
  out.clear();
}

void Pop3Session::Inside::secure(std::string_view rest) {
  if (!rest.empty()) {
    stop(Outcome::tls_failed, "the server sent something before the TLS handshake");
    return;
  }
  stream_.start_tls(*setup_.settings.tls_context);
}

/// Ends the session for what the server did not say.
void Pop3Session::Inside::stop(Outcome why, std::string_view words) {
  dialogue_.interrupt(why, words);
  end();
}

void Pop3Session::Inside::end() {
  if (dialogue_.quit_answered()) {
    stream_.part();
  }
  abandon();
  Pop3Result result = std::move(dialogue_.result());  // the owner may begin the next session
  result.ended = now_;
  if (result.outcome == Outcome::good) {
    setup_.times.on_step(Step::pop3_total, result.ended - result.begun);
  }
  setup_.events.on_pop3_end(result);
}

Pop3Session::Pop3Session(Setup setup) : inside_(std::make_unique<Inside>(std::move(setup))) {}

Pop3Session::~Pop3Session() = default;

void Pop3Session::begin(Work work, const Login& login, std::uint32_t most) {
  inside_->begin(work, login, most);
}

void Pop3Session::abandon() {
  inside_->abandon();
}

void Pop3Session::sweep(TimePoint now) {
  inside_->sweep(now);
}

bool Pop3Session::busy() const {
  return inside_->busy();
}

}  // namespace scalemark::mail
