#include "tests/testbed/node_under_test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace scalemark::testbed {

TempFolder::TempFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "scalemark-node-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("no temporary folder");
  }
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TempFolder::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << text;
}

void TempFolder::write_zeros(const std::string& name, std::uintmax_t size) const {
  write(name, "");
  std::filesystem::resize_file(path_ / name, size);
}

NodeUnderTest::NodeUnderTest(const TempFolder& files, NodePlan plan) {
  plan.files = files.path();
  plan.listen = "127.0.0.1:0";
  node_ = std::make_unique<BuiltinNode>(plan);
  thread_ = std::thread([this] { node_->run(); });
}

NodeUnderTest::~NodeUnderTest() {
  stop();
}

void NodeUnderTest::stop() {
  if (thread_.joinable()) {
    node_->stop();
    thread_.join();
  }
}

Client::Client(const std::string& address) : descriptor_(-1) {
  const std::size_t colon = address.rfind(':');
  const auto port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  v4.sin_family = AF_INET;
  v4.sin_port = port;
  v6.sin6_family = AF_INET6;
  v6.sin6_port = port;
  const bool is_v6 = address.front() == '[';
  const std::string host = is_v6 ? address.substr(1, colon - 2) : address.substr(0, colon);
  ::inet_pton(is_v6 ? AF_INET6 : AF_INET, host.c_str(),
              is_v6 ? static_cast<void*>(&v6.sin6_addr) : &v4.sin_addr);
  descriptor_ = ::socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{10, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const auto* peer = is_v6 ? reinterpret_cast<sockaddr*>(&v6) : reinterpret_cast<sockaddr*>(&v4);
  if (::connect(descriptor_, peer, is_v6 ? sizeof v6 : sizeof v4) != 0) {
    ::close(descriptor_);
    throw std::runtime_error("cannot connect to " + address);
  }
}

Client::~Client() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

void Client::send(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) {
      return;  // closed by the node: what it answered is still to be read
    }
    sent += static_cast<std::size_t>(n);
  }
}

void Client::request(const std::string& path, const std::string& method, const std::string& more) const {
  send(method + " " + path + " HTTP/1.1\r\nHost: node\r\n" + more + "\r\n");
}

std::string Client::read_some(std::size_t most) const {
  std::string bytes(most, '\0');
  const ssize_t n = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return bytes;
}

std::string Client::read_to_end() const {
  std::string all = unread_;
  for (std::string part = read_some(65536); !part.empty(); part = read_some(65536)) {
    all += part;
  }
  return all;
}

std::optional<Answer> Client::answer(bool bodyless) {
  std::size_t head_end = std::string::npos;
  while ((head_end = unread_.find("\r\n\r\n")) == std::string::npos) {
    const std::string part = read_some(65536);
    if (part.empty()) {
      return std::nullopt;
    }
    unread_ += part;
  }
  Answer answer;
  answer.status = std::stoi(unread_.substr(9, 3));
  for (std::size_t line = unread_.find("\r\n") + 2; line < head_end;) {
    const std::size_t end = unread_.find("\r\n", line);
    const std::size_t colon = unread_.find(": ", line);
    answer.headers[unread_.substr(line, colon - line)] = unread_.substr(colon + 2, end - colon - 2);
    line = end + 2;
  }
  const std::size_t size = bodyless ? 0 : std::stoul(answer.headers.at("Content-Length"));
  answer.wire_bytes = head_end + 4 + size;
  while (unread_.size() < answer.wire_bytes) {
    const std::string part = read_some(65536);
    if (part.empty()) {
      return std::nullopt;
    }
    unread_ += part;
  }
  answer.body = unread_.substr(head_end + 4, size);
  unread_.erase(0, answer.wire_bytes);
  return answer;
}

std::optional<Answer> Client::get(const std::string& path) {
  request(path);
  return answer();
}

void Client::reset() {
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace scalemark::testbed
