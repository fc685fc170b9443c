#include "testbed/builtin_node.h"

#include "testbed/node_server.h"

namespace scalemark::testbed {

BuiltinNode::BuiltinNode(const NodePlan& plan) : server_(std::make_unique<NodeServer>(plan)) {}

BuiltinNode::~BuiltinNode() = default;

std::string BuiltinNode::address() const {
  return server_->address();
}

void BuiltinNode::run() {
  server_->run();
}

void BuiltinNode::stop() noexcept {
  server_->stop();
}

NodeCounters BuiltinNode::counters() const {
  return server_->counters();
}

}  // namespace scalemark::testbed
