#include "core/tcp_socket.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace scalemark {
namespace {

TEST(ConnectError, IsThePeersRefusalOrSilence) {
  EXPECT_EQ(outcome_of_connect_error(ECONNREFUSED), Outcome::connect_refused);
  EXPECT_EQ(outcome_of_connect_error(ETIMEDOUT), Outcome::connect_timeout);
}

TEST(ConnectError, IsLocalWhenThisMachineLacksSomething) {
  for (const int error : {EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL, EADDRINUSE, EPERM, EACCES}) {
    EXPECT_EQ(outcome_of_connect_error(error), Outcome::local) << error;
  }
}

TEST(ConnectError, IsAResetOtherwise) {
  for (const int error : {0, ECONNRESET, EPIPE, EHOSTUNREACH, ENETUNREACH}) {
    EXPECT_EQ(outcome_of_connect_error(error), Outcome::connect_reset) << error;
  }
}

}  // namespace
}  // namespace scalemark
