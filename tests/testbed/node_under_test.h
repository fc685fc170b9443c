// A running node with a folder of its own, and a client that speaks to it in plain bytes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "testbed/builtin_node.h"

namespace scalemark::testbed {

/// A new empty folder, removed with everything in it at the end.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder, making folders on the way.
  void write(const std::string& name, const std::string& text) const;
  /// A file of zeros that takes no room on the disk.
  void write_zeros(const std::string& name, std::uintmax_t size) const;

 private:
  std::filesystem::path path_;
};

/// A node that runs in a thread of its own until stopped or destroyed.
class NodeUnderTest {
 public:
  /// Serves `files` on a free loopback port; `plan` gives the rest.
  explicit NodeUnderTest(const TempFolder& files, NodePlan plan = {});
  ~NodeUnderTest();
  NodeUnderTest(const NodeUnderTest&) = delete;
  NodeUnderTest& operator=(const NodeUnderTest&) = delete;

  [[nodiscard]] BuiltinNode& node() { return *node_; }
  [[nodiscard]] std::string address() const { return node_->address(); }
  /// Stops it and waits until run() has returned.
  void stop();

 private:
  std::unique_ptr<BuiltinNode> node_;
  std::thread thread_;
};

/// A whole response as it came.
struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;
  std::string body;
  std::size_t wire_bytes = 0;
};

/// A blocking connection; reads give up after ten seconds.
class Client {
 public:
  /// Connects to an address as BuiltinNode::address() gives it.
  explicit Client(const std::string& address);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  void send(const std::string& bytes) const;
  void request(const std::string& path, const std::string& method = "GET",
               const std::string& more = "") const;
  /// Reads one response with a Content-Length; `bodyless` for HEAD. Nothing when the connection ended first.
  [[nodiscard]] std::optional<Answer> answer(bool bodyless = false);
  [[nodiscard]] std::optional<Answer> get(const std::string& path);
  /// At most `most` bytes; "" at the end of the connection or when it broke.
  [[nodiscard]] std::string read_some(std::size_t most) const;
  /// All bytes until the node closes.
  [[nodiscard]] std::string read_to_end() const;
  /// Closes with a reset instead of a farewell.
  void reset();

 private:
  int descriptor_;
  std::string unread_;
};

}  // namespace scalemark::testbed
