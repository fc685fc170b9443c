#include "testbed/mail_client.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/curl_library.h"
#include "core/error.h"
#include "testbed/netns.h"

namespace scalemark::testbed {
namespace {

/// One handle of libcurl with what is common to both protocols.
class Curl {
 public:
  explicit Curl(std::string netns) : netns_(std::move(netns)), handle_(make_handle()) {
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NOPROXY, "*");  // whatever the environment says
    set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_NONE));
    set(CURLOPT_OPENSOCKETFUNCTION, &Curl::open_socket);
    set(CURLOPT_OPENSOCKETDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Curl::take_line);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Curl::take_body);
    set(CURLOPT_WRITEDATA, this);
  }
  ~Curl() { libcurl().easy_cleanup(handle_); }
  Curl(const Curl&) = delete;
  Curl& operator=(const Curl&) = delete;

  template <typename Value>
  void set(CURLoption option, Value value) {
    libcurl().easy_setopt(handle_, option, value);
  }

  /// Lets libcurl say no more on its connection.
  void fall_silent() const { ::shutdown(socket_, SHUT_WR); }

  /// Returns what came as a body. Throws MailTrouble that begins with `what`.
  std::string perform(const char* what, TimePoint deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock().now());
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(1, left.count())));
    body_.clear();
    line_.clear();
    error_.front() = '\0';
    const CURLcode code = libcurl().easy_perform(handle_);
    if (!no_socket_.empty()) {
      throw MailTrouble(no_socket_);
    }
    if (code != CURLE_OK) {
      const char* why = error_.front() != '\0' ? error_.data() : libcurl().easy_strerror(code);
      throw MailTrouble(line_.empty() ? fmt::format("{}: {}", what, why)
                                      : fmt::format("{}: {} (it answers: {})", what, why, line_));
    }
    return std::move(body_);
  }

 private:
  static CURL* make_handle() {
    CURL* handle = libcurl().easy_init();
    if (handle == nullptr) {
      throw RunError("libcurl cannot be used: it has no memory");
    }
    return handle;
  }

  /// A socket belongs to the namespace that it was made in, wherever it is used.
  static curl_socket_t open_socket(void* self, curlsocktype /*purpose*/, curl_sockaddr* address) {
    auto& curl = *static_cast<Curl*>(self);
    try {
      std::optional<NetnsVisit> visit;
      if (!curl.netns_.empty()) {
        visit.emplace(curl.netns_);
      }
      curl.socket_ = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
      return curl.socket_;
    } catch (const RunError& error) {
      curl.no_socket_ = error.what();
      return CURL_SOCKET_BAD;
    }
  }

  static bool is_refusal(const std::string& line) {
    return line.starts_with("-ERR") || line.starts_with('4') || line.starts_with('5');
  }

  static std::size_t take_line(char* text, std::size_t size, std::size_t count, void* self) {
    std::string line(text, size * count);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
      line.pop_back();
    }
    // What follows a refusal, as the answer to QUIT, says less than the refusal.
    auto& curl = *static_cast<Curl*>(self);
    if (!is_refusal(curl.line_)) {
      curl.line_ = line;
    }
    return size * count;
  }

  static std::size_t take_body(char* text, std::size_t size, std::size_t count, void* self) {
    static_cast<Curl*>(self)->body_.append(text, size * count);
    return size * count;
  }

  std::string netns_;
  int socket_ = -1;  // libcurl's latest
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::string line_;  // the server's refusal, or else its last
  std::string body_;
  std::string no_socket_;  // why there was none
  CURL* handle_;
};

/// What is left to be sent.
struct Upload {
  const std::string& text;
  std::size_t sent = 0;

  static std::size_t read(char* into, std::size_t size, std::size_t count, void* self) {
    auto& upload = *static_cast<Upload*>(self);
    const std::size_t piece = std::min(size * count, upload.text.size() - upload.sent);
    upload.text.copy(into, piece, upload.sent);
    upload.sent += piece;
    return piece;
  }
};

}  // namespace

void deliver(const MailDoor& door, const std::string& from, const std::string& to, const std::string& message,
             TimePoint deadline) {
  Curl curl(door.netns);
  Upload upload{message};
  const std::string url = fmt::format("smtp://{}:25/health.invalid", door.address);
  curl_slist* recipients = libcurl().slist_append(nullptr, fmt::format("<{}>", to).c_str());
  curl.set(CURLOPT_URL, url.c_str());
  curl.set(CURLOPT_MAIL_FROM, fmt::format("<{}>", from).c_str());
  curl.set(CURLOPT_MAIL_RCPT, recipients);
  curl.set(CURLOPT_UPLOAD, 1L);
  curl.set(CURLOPT_READFUNCTION, &Upload::read);
  curl.set(CURLOPT_READDATA, &upload);
  try {
    curl.perform("SMTP", deadline);
  } catch (...) {
    libcurl().slist_free_all(recipients);
    throw;
  }
  libcurl().slist_free_all(recipients);
}

struct Pop3Client::Wire {
  Wire(const MailDoor& door, TimePoint until)
      : curl(door.netns), url(fmt::format("pop3://{}:110/", door.address)), deadline(until) {}

  /// A command about a message, or about none when `number` is 0; `command` null: libcurl's own for it.
  std::string ask(const char* command, unsigned number, bool with_body) {
    const std::string target = number == 0 ? url : fmt::format("{}{}", url, number);
    curl.set(CURLOPT_URL, target.c_str());
    curl.set(CURLOPT_CUSTOMREQUEST, command);
    curl.set(CURLOPT_NOBODY, with_body ? 0L : 1L);
    return curl.perform("POP3", deadline);
  }

  Curl curl;
  std::string url;
  TimePoint deadline;
};

Pop3Client::Pop3Client(const MailDoor& door, const std::string& login, const std::string& password,
                       TimePoint deadline)
    : wire_(std::make_unique<Wire>(door, deadline)) {
  wire_->curl.set(CURLOPT_USERNAME, login.c_str());
  wire_->curl.set(CURLOPT_PASSWORD, password.c_str());
  const std::string list = wire_->ask(nullptr, 0, true);
  count_ = static_cast<unsigned>(std::count(list.begin(), list.end(), '\n'));
}

Pop3Client::~Pop3Client() = default;

std::string Pop3Client::fetch(unsigned number) {
  return wire_->ask(nullptr, number, true);
}

void Pop3Client::remove(unsigned number) {
  wire_->ask("DELE", number, false);
}

void Pop3Client::quit() {
  wire_->ask("QUIT", 0, false);
  wire_->curl.fall_silent();  // libcurl would send a second QUIT when it closes the connection
}

}  // namespace scalemark::testbed
