#include "core/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace scalemark {
namespace {

TEST(Outcome, NamesAreUniqueAndFitForRecords) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const std::string_view name = name_of(static_cast<Outcome>(i));
    EXPECT_FALSE(name.empty()) << i;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << name;
    names.insert(name);
  }
  EXPECT_EQ(names.size(), kOutcomes);
}

TEST(Outcome, NamesBelongToTheirValues) {
  EXPECT_EQ(name_of(Outcome::good), "good");
  EXPECT_EQ(name_of(Outcome::connect_refused), "connect_refused");
  EXPECT_EQ(name_of(Outcome::connect_timeout), "connect_timeout");
  EXPECT_EQ(name_of(Outcome::connect_reset), "connect_reset");
  EXPECT_EQ(name_of(Outcome::tls_failed), "tls_failed");
  EXPECT_EQ(name_of(Outcome::reset), "reset");
  EXPECT_EQ(name_of(Outcome::closed_early), "closed_early");
  EXPECT_EQ(name_of(Outcome::short_body), "short_body");
  EXPECT_EQ(name_of(Outcome::long_body), "long_body");
  EXPECT_EQ(name_of(Outcome::wrong_content), "wrong_content");
  EXPECT_EQ(name_of(Outcome::bad_status), "bad_status");
  EXPECT_EQ(name_of(Outcome::malformed), "malformed");
  EXPECT_EQ(name_of(Outcome::read_timeout), "read_timeout");
  EXPECT_EQ(name_of(Outcome::local), "local");
}

TEST(Outcome, LocalIsTheLast) {
  EXPECT_EQ(index_of(Outcome::local) + 1, kOutcomes);
}

TEST(Outcome, FailuresAreAllButTheGood) {
  OutcomeCounts counts{};
  EXPECT_EQ(failures(counts), 0U);
  counts[index_of(Outcome::good)] = 1000;
  EXPECT_EQ(failures(counts), 0U);
  counts[index_of(Outcome::connect_refused)] = 1;
  counts[index_of(Outcome::bad_status)] = 20;
  counts[index_of(Outcome::local)] = 300;
  EXPECT_EQ(failures(counts), 321U);
}

}  // namespace
}  // namespace scalemark
