// What a call complains of, for tests that look at the sentence a user gets to read.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace scalemark {

/// The sentence of the UsageError that `call` throws; the running test fails when it throws none.
template <typename Call>
std::string usage_error(Call&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no UsageError was thrown";
  return {};
}

}  // namespace scalemark
