#include "testbed/health.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/address.h"
#include "core/error.h"
#include "core/tcp_socket.h"
#include "core/text.h"
#include "core/units.h"
#include "testbed/netns.h"

namespace scalemark::testbed {
namespace {

constexpr std::size_t kMostHeadBytes = 65'536;

/// The trouble of one request, in words.
class Trouble : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A connection with a deadline for all that is done with it.
class Connection {
 public:
  Connection(int socket, TimePoint deadline, Duration timeout)
      : socket_(socket), deadline_(deadline), timeout_(timeout) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void connect(const Address& to) const {
    if (::connect(socket_, to.get(), to.length) == 0) {
      return;
    }
    if (errno != EINPROGRESS) {
      throw Trouble("no connection: " + words_of_error(errno));
    }
    wait_for(POLLOUT);
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
      throw Trouble("no connection: " + words_of_error(error));
    }
  }

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        text.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        wait_for(POLLOUT);
      } else {
        throw Trouble("the connection broke: " + words_of_error(errno));
      }
    }
  }

  /// Appends what has come in; false at the end of it.
  bool receive(std::string& into) const {
    std::array<char, 16384> piece{};
    while (true) {
      const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
      if (got >= 0) {
        into.append(piece.data(), static_cast<std::size_t>(got));
        return got > 0;
      }
      if (errno != EAGAIN) {
        throw Trouble("the connection broke: " + words_of_error(errno));
      }
      wait_for(POLLIN);
    }
  }

 private:
  void wait_for(short events) const {
    while (true) {
      const Duration left = deadline_ - SteadyClock().now();
      if (left <= Duration::zero()) {
        throw Trouble("no whole answer within " + format_duration(timeout_));
      }
      pollfd one{socket_, events, 0};
      const int found =
          ::poll(&one, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count()));
      if (found > 0) {
        return;
      }
      if (found < 0 && errno != EINTR) {
        throw Trouble("cannot wait: " + words_of_error(errno));
      }
    }
  }

  int socket_;
  TimePoint deadline_;
  Duration timeout_;
};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The value of a field of the head, "" when there is none.
std::string_view field(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && same_word(line.substr(0, colon), name)) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return {};
}

HttpAnswer answer_of_head(std::string_view head) {
  // "HTTP/1.1 200 OK"
  constexpr std::size_t kCodeAt = 9;
  if (!head.starts_with("HTTP/1.") || head.size() < kCodeAt + 3) {
    throw Trouble("the answer is no HTTP");
  }
  HttpAnswer answer;
  for (const char c : head.substr(kCodeAt, 3)) {
    if (c < '0' || c > '9') {
      throw Trouble("the answer has no status");
    }
    answer.status = answer.status * 10 + (c - '0');
  }
  answer.node = field(head, "X-Node");
  return answer;
}

HttpAnswer exchange(const Connection& connection, const std::string& host, const std::string& path) {
  connection.send(
      fmt::format("GET {} HTTP/1.0\r\nHost: {}\r\nUser-Agent: scalemark-health\r\n\r\n", path, host));
  std::string text;
  std::size_t head_end = std::string::npos;
  while (head_end == std::string::npos) {
    if (!connection.receive(text)) {
      throw Trouble(text.empty() ? "the connection was closed without an answer" : "the answer broke off");
    }
    head_end = text.find("\r\n\r\n");
    if (head_end == std::string::npos && text.size() > kMostHeadBytes) {
      throw Trouble("the answer's head has no end");
    }
  }
  const std::string head = text.substr(0, head_end + 2);
  HttpAnswer answer = answer_of_head(head);
  answer.body_bytes = text.size() - head_end - 4;
  for (bool more = true; more;) {  // HTTP/1.0: the body ends with the connection
    text.clear();
    more = connection.receive(text);
    answer.body_bytes += text.size();
  }
  const std::string_view length = field(head, "Content-Length");
  if (!length.empty() && length != std::to_string(answer.body_bytes)) {
    throw Trouble(fmt::format("the answer broke off after {} of {} bytes", answer.body_bytes, length));
  }
  return answer;
}

/// A socket belongs to the namespace that it was made in, wherever it is used.
int socket_inside(const std::string& netns, const Address& to) {
  std::optional<NetnsVisit> visit;
  if (!netns.empty()) {
    visit.emplace(netns);
  }
  const int socket = make_tcp_socket(to, nullptr, 0);
  if (socket < 0) {
    throw RunError("cannot make a socket: " + words_of_error(errno));
  }
  return socket;
}

}  // namespace

std::string HealthReport::complaint() const {
  if (!answer) {
    return why;
  }
  switch (answer->status) {
    case 200:
      return {};
    case 403:
      return "status 403: the server may not read the file; are the files readable, and all folders above "
             "them?";
    case 404:
      return "status 404: the server does not have the file; is the right folder served?";
    default:
      return fmt::format("status {}", answer->status);
  }
}

HealthReport get(const std::string& netns, const std::string& address, std::uint16_t port,
                 const std::string& path, Duration timeout) {
  const std::optional<Address> to = numeric_address(address, port);
  if (!to) {
    throw RunError("'" + address + "' is no address");
  }
  const Connection connection(socket_inside(netns, *to), SteadyClock().now() + timeout, timeout);
  HealthReport report;
  try {
    connection.connect(*to);
    report.answer = exchange(connection, host_and_port(address, port), path);
  } catch (const Trouble& trouble) {
    report.why = trouble.what();
  }
  return report;
}

}  // namespace scalemark::testbed
