#include "testbed/mail_needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

using testing::IsSupersetOf;

namespace fs = std::filesystem;

std::vector<std::string> packages(ProxyKind proxy, Delivery delivery) {
  ClusterPlan plan = default_cluster(ServiceKind::mail);
  plan.mail.proxy = proxy;
  plan.mail.delivery = delivery;
  std::vector<std::string> names;
  for (const NeededFile& file : mail_files(plan)) {
    names.push_back(file.package);
  }
  return names;
}

TEST(MailNeeds, EachFrontHasPackagesOfItsOwn) {
  EXPECT_THAT(packages(ProxyKind::none, Delivery::postfix),
              testing::ElementsAre("postfix", "dovecot-core", "dovecot-pop3d"));
  EXPECT_THAT(packages(ProxyKind::nginx, Delivery::postfix), IsSupersetOf({"nginx", "libnginx-mod-mail"}));
  EXPECT_THAT(packages(ProxyKind::dovecot, Delivery::postfix),
              IsSupersetOf({"dovecot-pgsql", "postfix-pgsql"}));
  EXPECT_THAT(packages(ProxyKind::none, Delivery::lmtp), testing::Contains("dovecot-lmtpd"));
}

TEST(MailNeeds, AFolderThatOthersCannotPassIsFound) {
  const TempFolder folder;
  const fs::path outer = folder.path() / "outer";
  fs::create_directories(outer / "inner");
  fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
  fs::permissions(outer, fs::perms::owner_all);
  EXPECT_EQ(closed_folder(outer / "inner" / "not made yet"), outer);
  fs::permissions(outer, fs::perms::others_exec, fs::perm_options::add);
  EXPECT_EQ(closed_folder(outer / "inner" / "not made yet"), "");
  EXPECT_EQ(closed_folder(""), "");
}

}  // namespace
}  // namespace scalemark::testbed
