#include "analysis/run_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/analysis/golden.h"

namespace scalemark::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(RunSummary, EveryKindHasItsOwnView) {
  const RunRecord web = read_record(golden_path("web_example.json"));
  const RunRecord mail = read_record(golden_path("mail_example.json"));
  EXPECT_EQ(run_summary(web, {}), golden_text("web_example.txt"));
  EXPECT_EQ(run_summary(mail, {}), golden_text("mail_example.txt"));
  EXPECT_EQ(run_csv(web), golden_text("web_example.csv"));
  EXPECT_EQ(run_csv(mail), golden_text("mail_example.csv"));
}

TEST(RunSummary, OfAnUnknownKindIsTheEnvelope) {
  RunRecord record = read_record(golden_path("web_example.json"));
  record.kind = "ldap";
  record.score = {12'345.5, "searches per second"};
  const std::string text = run_summary(record, {});
  EXPECT_THAT(text, StartsWith("PASS  score 12,345.5 searches per second\n"));
  EXPECT_THAT(text, HasSubstr("kind \"ldap\" with 3 iterations"));
  EXPECT_THAT(text, Not(HasSubstr("conforming")));
  EXPECT_THROW(static_cast<void>(run_csv(record)), UsageError);
}

}  // namespace
}  // namespace scalemark::analysis
