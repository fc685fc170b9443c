#include "testbed/listen_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"

namespace scalemark::testbed {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

TEST(ListenSocket, SaysWhereItListens) {
  const ListenSocket socket = open_listen_socket("127.0.0.1:0");
  EXPECT_THAT(socket.address, StartsWith("127.0.0.1:"));
  EXPECT_NE(socket.address, "127.0.0.1:0");
  ::close(socket.descriptor);
}

TEST(ListenSocket, RefusesAPortInUse) {
  const ListenSocket socket = open_listen_socket("127.0.0.1:0");
  EXPECT_THAT([&] { (void)open_listen_socket(socket.address); },
              ThrowsMessage<RunError>(HasSubstr("the port is in use")));
  ::close(socket.descriptor);
}

TEST(ListenSocket, RefusesAnAddressOfAnotherMachine) {
  EXPECT_THAT([] { (void)open_listen_socket("192.0.2.1:0"); },
              ThrowsMessage<UsageError>(HasSubstr("no interface of this machine")));
}

TEST(ListenSocket, RefusesMalformedAddresses) {
  for (const char* text :
       {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1",
        "::1:8080", "[127.0.0.1]:8080", "[::1]", "[]:80", "no.such.host:80"}) {
    EXPECT_THROW((void)open_listen_socket(text), UsageError) << text;
  }
}

}  // namespace
}  // namespace scalemark::testbed
