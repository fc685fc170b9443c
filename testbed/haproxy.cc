// HAProxy as a dispatcher, declared in testbed/dispatcher.h.
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/error.h"
#include "testbed/dispatcher.h"

namespace scalemark::testbed {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostConnections = 8000;
constexpr std::uint64_t kOtherDescriptors = 200;  // its own, and some for the future

bool holds(const std::vector<NodePlace>& nodes, const NodePlace& node) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const NodePlace& other) { return other.number == node.number; });
}

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// The nodes as one port's connections know them.
std::string backend_of(std::uint16_t port) {
  return fmt::format("nodes-{}", port);
}

std::string port_section(const Dispatch& dispatch, const std::vector<NodePlace>& possible,
                         std::uint16_t port) {
  std::string text = fmt::format(
      R"(frontend service-{port}
  bind {vip}:{port} backlog 4096
  default_backend {backend}
backend {backend}
  balance roundrobin
)",
      fmt::arg("vip", dispatch.vip), fmt::arg("port", port), fmt::arg("backend", backend_of(port)));
  for (const NodePlace& node : possible) {
    text += fmt::format("  server {} {}:{}{}\n", node.name, node.address, port,
                        holds(dispatch.active, node) ? "" : " disabled");
  }
  return text;
}

/// One conversation on the proxy's socket.
class Talk {
 public:
  Talk(const fs::path& path, TimePoint deadline)
      : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), deadline_(deadline) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    const std::string& text = path.native();
    if (socket_ < 0 || text.size() >= sizeof to.sun_path) {
      const std::string why = socket_ < 0 ? reason(errno) : "its path is too long";
      ::close(socket_);
      throw RunError(fmt::format("cannot use the proxy's socket '{}': {}", text, why));
    }
    std::memcpy(to.sun_path, text.data(), text.size());
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      const int error = errno;
      ::close(socket_);
      throw RunError(fmt::format("HAProxy does not answer at '{}': {}", text, reason(error)));
    }
  }
  ~Talk() { ::close(socket_); }
  Talk(const Talk&) = delete;
  Talk& operator=(const Talk&) = delete;

  /// All that the proxy answers until it hangs up.
  std::string ask(const std::string& question) const {
    // A few kilobytes at most: the socket takes them at once.
    if (::send(socket_, question.data(), question.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(question.size())) {
      throw RunError("HAProxy does not take commands: " + reason(errno));
    }
    std::string answer;
    std::array<char, 4096> piece{};
    while (true) {
      const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
      if (got == 0) {
        return answer;
      }
      if (got > 0) {
        answer.append(piece.data(), static_cast<std::size_t>(got));
      } else if (errno != EAGAIN && errno != EINTR) {
        throw RunError("HAProxy broke off: " + reason(errno));
      } else {
        wait();
      }
    }
  }

 private:
  void wait() const {
    const Duration left = deadline_ - SteadyClock().now();
    pollfd one{socket_, POLLIN, 0};
    if (left <= Duration::zero() ||
        ::poll(&one, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count())) == 0) {
      throw RunError("HAProxy does not answer on its socket; is it stuck?");
    }
  }

  int socket_;
  TimePoint deadline_;
};

}  // namespace

std::uint64_t haproxy_connections(std::uint64_t descriptors) {
  const std::uint64_t room = descriptors > kOtherDescriptors ? (descriptors - kOtherDescriptors) / 2 : 0;
  return std::clamp<std::uint64_t>(room, 1, kMostConnections);
}

fs::path haproxy_socket(const fs::path& dir) {
  return dir / "control";
}

ServiceSetup setup_haproxy(const Dispatch& dispatch, const std::vector<NodePlace>& possible,
                           std::uint64_t connections, const fs::path& dir, const fs::path& program) {
  std::string conf = fmt::format(
      R"(# Written by scalemark for the router of an emulated cluster.
global
  maxconn {connections}
  nbthread 1
  stats socket "{socket}" mode 600 level admin
defaults
  mode tcp
  maxconn {connections}
  timeout connect 5s
  timeout client 75s
  timeout server 75s
)",
      fmt::arg("connections", connections), fmt::arg("socket", haproxy_socket(dir).string()));
  for (const std::uint16_t port : dispatch.ports) {
    conf += port_section(dispatch, possible, port);
  }
  ServiceSetup setup;
  setup.folders = {dir};
  setup.files = {{dir / "haproxy.conf", conf}};
  setup.argv = {program, "-db", "-f", dir / "haproxy.conf"};
  setup.log = dir / "output.log";
  setup.error_log = setup.log;
  return setup;
}

std::vector<std::string> haproxy_change(const Dispatch& dispatch, const std::vector<NodePlace>& possible) {
  std::vector<std::string> lines;
  for (const std::uint16_t port : dispatch.ports) {
    for (const NodePlace& node : possible) {
      const std::string server = fmt::format("{}/{}", backend_of(port), node.name);
      if (holds(dispatch.active, node)) {
        lines.push_back(fmt::format("set server {} state ready", server));
      } else if (holds(dispatch.draining, node)) {
        lines.push_back(fmt::format("set server {} state drain", server));
      } else {
        lines.push_back(fmt::format("set server {} state maint", server));
        lines.push_back(fmt::format("shutdown sessions server {}", server));
      }
    }
  }
  return lines;
}

void tell_haproxy(const fs::path& socket, const std::vector<std::string>& lines, Duration timeout) {
  const TimePoint deadline = SteadyClock().now() + timeout;
  for (const std::string& line : lines) {
    // Success is silent.
    const std::string answer = Talk(socket, deadline).ask(line + "\n");
    const std::size_t words = answer.find_first_not_of("\n ");
    if (words != std::string::npos) {
      throw RunError(fmt::format("HAProxy refuses '{}': {}", line,
                                 answer.substr(words, answer.find_last_not_of("\n ") + 1 - words)));
    }
  }
}

}  // namespace scalemark::testbed
