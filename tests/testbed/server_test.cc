#include "testbed/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "tests/testbed/node_under_test.h"

namespace scalemark::testbed {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

ServiceSetup example(ServerKind kind, const std::filesystem::path& files = "/srv/www") {
  return setup_node(kind, topology_of("web").node(3), "/run/scalemark/web/n3", files, "/usr/sbin/program");
}

TEST(ServerSetup, NginxServesTheFolderWithOneWorkerAndALogOfItsOwn) {
  const ServiceSetup setup = example(ServerKind::nginx);
  ASSERT_EQ(setup.files.size(), 1U);
  EXPECT_EQ(setup.files[0].first, "/run/scalemark/web/n3/nginx.conf");
  EXPECT_THAT(
      setup.files[0].second,
      AllOf(HasSubstr("listen 0.0.0.0:80 reuseport backlog=4096;"), HasSubstr("root \"/srv/www\";"),
            HasSubstr("worker_processes 1;"), HasSubstr("daemon off;"),
            HasSubstr("add_header X-Node n3 always;"), HasSubstr("'$status $bytes_sent'"),
            HasSubstr("access_log \"/run/scalemark/web/n3/access.log\" counts buffer=16k flush=100ms;"),
            Not(HasSubstr("/var/"))));
  EXPECT_THAT(setup.argv,
              ElementsAre("/usr/sbin/program", "-p", "/run/scalemark/web/n3", "-e",
                          "/run/scalemark/web/n3/error.log", "-c", "/run/scalemark/web/n3/nginx.conf"));
  EXPECT_EQ(setup.access_log, "/run/scalemark/web/n3/access.log");
  EXPECT_EQ(setup.log_format, LogFormat::status_and_bytes);
}

TEST(ServerSetup, ApacheReadsOnlyItsOwnTreeAndIsNotRoot) {
  const ServiceSetup setup = example(ServerKind::apache);
  ASSERT_EQ(setup.files.size(), 1U);
  EXPECT_THAT(setup.files[0].second,
              AllOf(HasSubstr("ServerRoot \"/run/scalemark/web/n3\""), HasSubstr("mpm_event_module"),
                    HasSubstr("Listen 0.0.0.0:80"), HasSubstr("MaxKeepAliveRequests 0"),
                    HasSubstr("DocumentRoot \"/srv/www\""), HasSubstr("LogFormat \"%>s %O\" counts"),
                    Not(HasSubstr("/etc/apache2")), Not(HasSubstr("/var/")), Not(HasSubstr("User "))));
  EXPECT_THAT(setup.argv, Contains(HasSubstr("unshare --user")));
  EXPECT_THAT(setup.argv, Contains("/usr/sbin/program"));
}

TEST(ServerSetup, TheBuiltInServerIsThisProgram) {
  const ServiceSetup setup = example(ServerKind::builtin);
  EXPECT_TRUE(setup.files.empty());
  EXPECT_THAT(setup.argv, ElementsAre("/usr/sbin/program", "serve", "--files", "/srv/www", "--listen",
                                      "0.0.0.0:80", "--access-log", "/run/scalemark/web/n3/access.log"));
  EXPECT_EQ(setup.log_format, LogFormat::builtin);
  EXPECT_EQ(server_program(ServerKind::builtin), std::filesystem::read_symlink("/proc/self/exe"));
}

TEST(ServerSetup, RefusesPathsThatWouldMeanSomethingElseInAConfiguration) {
  for (const char* path : {"/srv/\"w\"", "/srv/$host", "/srv/a\nb", "/srv/a\\b", "srv/www", ""}) {
    EXPECT_THROW((void)example(ServerKind::nginx, path), UsageError) << path;
  }
  EXPECT_NO_THROW((void)example(ServerKind::apache, "/srv/with blanks/and ümlauts"));
}

TEST(ServerSetup, PreparingMakesFoldersAndFiles) {
  const TempFolder folder;
  const auto setup = setup_node(ServerKind::nginx, topology_of("web").node(1), folder.path() / "a" / "n1",
                                "/srv/www", "/usr/sbin/nginx");
  prepare(setup);
  prepare(setup);  // again is fine
  EXPECT_TRUE(std::filesystem::is_directory(folder.path() / "a/n1/tmp"));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / "a/n1/nginx.conf"));
}

TEST(ServerSetup, AFolderThatCannotBeMadeIsNamed) {
  const TempFolder folder;
  folder.write("file", "");
  ServiceSetup setup;
  setup.folders = {folder.path() / "file" / "below"};
  try {
    prepare(setup);
    FAIL() << "made a folder below a file";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("file/below"));
  }
}

TEST(ServerSetup, AComplaintIsTheEndOfTheErrorLogOrElseOfTheOutput) {
  const TempFolder folder;
  ServiceSetup setup;
  setup.error_log = folder.path() / "error.log";
  setup.log = folder.path() / "output.log";
  EXPECT_EQ(complaint_of(setup), "");
  folder.write("output.log", "exec failed\n");
  EXPECT_EQ(complaint_of(setup), "exec failed");
  folder.write("error.log", std::string(5000, 'x') + " bind() failed\n\n");
  EXPECT_THAT(complaint_of(setup),
              AllOf(EndsWith("x bind() failed"), ::testing::SizeIs(::testing::Le(300U))));
}

TEST(ServerSetup, HealthIsAskedWithAFileOfTheSetWhereThereIsOne) {
  const TempFolder folder;
  EXPECT_EQ(health_path(folder.path()), "/");
  folder.write("file_set/dir00000/class0_0", "x");
  EXPECT_EQ(health_path(folder.path()), "/file_set/dir00000/class0_0");
}

TEST(FindProgram, KnowsTheSystemsFoldersAndSaysWhenThereIsNone) {
  EXPECT_TRUE(find_program("sh").is_absolute());
  EXPECT_EQ(find_program("no-such-program-here"), "");
}

}  // namespace
}  // namespace scalemark::testbed
