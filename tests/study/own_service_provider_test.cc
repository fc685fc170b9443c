#include "study/own_service_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "study/web_workload.h"
#include "tests/core/temporary_folder.h"

namespace scalemark::study {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CommandFor, PutsNodesAndRouterInEverywhere) {
  EXPECT_EQ(command_for("scale {nodes} --by {router} --again={nodes}", {"lb", 4, false}),
            "scale 4 --by lb --again=4");
  EXPECT_EQ(command_for("scale", {"lb", 4, false}), "scale");
  EXPECT_EQ(command_for("{router}", {"{nodes}", 4, false}), "{nodes}") << "what was put in is not read again";
}

class OwnService : public testing::Test {
 protected:
  OwnService() {
    plan_.provider = Provider::command;
    web_plan(*plan_.workload).urls = {"http://127.0.0.1:1/"};  // nobody is there
    plan_.health_timeout = Duration::zero();
  }

  /// The sentence of the RunError.
  std::string complaint() {
    try {
      (void)make_own_service_provider(plan_, folder_.path())->prepare({"lb", 3, false}, stop_);
      return "";
    } catch (const RunError& error) {
      return error.what();
    }
  }

  TemporaryFolder folder_;
  StudyPlan plan_;
  std::atomic<bool> stop_{false};
};

TEST_F(OwnService, ACommandThatFailsIsQuotedWithItsOwnWords) {
  plan_.scale_command = "echo no such deployment >&2; exit 7";
  EXPECT_THAT(complaint(), AllOf(HasSubstr("ended with 7"), HasSubstr("no such deployment")));
  plan_.scale_command = "echo said on the other stream; exit 1";
  EXPECT_THAT(complaint(), HasSubstr("said on the other stream"));
  plan_.scale_command = "exit 1";
  EXPECT_THAT(complaint(), HasSubstr("it said nothing"));
}

TEST_F(OwnService, TheCommandIsToldTheNumberOfNodes) {
  const std::string note = (folder_.path() / "note").string();
  plan_.scale_command = "echo {nodes} {router} > " + note;
  (void)complaint();
  std::string line;
  std::ifstream file(note);
  std::getline(file, line);
  EXPECT_EQ(line, "3 lb");
}

TEST_F(OwnService, AServiceThatIsNotReadyInTimeIsNotMeasured) {
  plan_.scale_command = "true";
  plan_.health_command = "echo still starting; exit 1";
  EXPECT_THAT(complaint(),
              AllOf(HasSubstr("not ready within"), HasSubstr("still starting"), HasSubstr("health-timeout")));
  plan_.health_command.clear();
  EXPECT_THAT(complaint(), AllOf(HasSubstr("not ready within"), HasSubstr("127.0.0.1:1")));
}

TEST_F(OwnService, WaitingEndsWhenItIsInterrupted) {
  plan_.scale_command = "true";
  plan_.health_command = "false";
  plan_.health_timeout = std::chrono::hours(1);
  stop_ = true;
  EXPECT_THAT(complaint(), HasSubstr("interrupted"));
}

}  // namespace
}  // namespace scalemark::study
