// What nodes, proxies and the database of a mail cluster are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "testbed/cluster_state.h"
#include "testbed/dovecot_node.h"
#include "testbed/mail_database.h"
#include "testbed/mail_proxy_dovecot.h"
#include "testbed/mail_proxy_nginx.h"
#include "testbed/postfix_node.h"

namespace scalemark::testbed {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class MailServersTest : public testing::Test {
 protected:
  MailServersTest() {
    plan_.nodes = 2;
    plan_.mail.accounts = 3;
  }

  [[nodiscard]] ServiceSetup postfix() const {
    return setup_postfix_node(plan_, topology_.node(1), all_mailboxes(plan_));
  }
  [[nodiscard]] ServiceSetup dovecot() const {
    return setup_dovecot_node(plan_, topology_.node(1), all_mailboxes(plan_), "/usr/sbin/dovecot");
  }
  [[nodiscard]] NodePlace proxy() const { return topology_.proxy(1); }

  /// The text of the file of that name; a failure when there is none.
  static std::string text(const ServiceSetup& setup, const std::string& name) {
    for (const auto& [path, text] : setup.files) {
      if (path.filename() == name) {
        return text;
      }
    }
    ADD_FAILURE() << "there is no " << name;
    return {};
  }

  /// Nothing of the system's own servers is written to, and nothing of their configurations read.
  static void expect_own_files(const ServiceSetup& setup, const std::vector<fs::path>& roots) {
    const auto inside = [&roots](const fs::path& path) {
      return std::any_of(roots.begin(), roots.end(), [&path](const fs::path& root) {
        return path.string().starts_with(root.string() + "/") || path == root;
      });
    };
    for (const fs::path& folder : setup.folders) {
      EXPECT_TRUE(inside(folder)) << folder;
    }
    for (const auto& [path, text] : setup.files) {
      EXPECT_TRUE(inside(path)) << path;
      EXPECT_THAT(text, AllOf(Not(HasSubstr("/etc/")), Not(HasSubstr("/var/")))) << path;
    }
    EXPECT_TRUE(inside(setup.log));
  }

  ClusterPlan plan_ = default_cluster(ServiceKind::mail);
  Topology topology_ = topology_of(plan_.name);
  fs::path home_ = cluster_folder(plan_.name);
};

TEST_F(MailServersTest, EverythingOfANodeLiesInTheClustersFolder) {
  expect_own_files(postfix(), {home_ / "n1"});
  expect_own_files(dovecot(), {home_ / "n1"});
  expect_own_files(setup_nginx_mail_proxy(plan_, proxy(), "/usr/sbin/nginx"), {home_ / "x1"});
  expect_own_files(setup_postfix_gateway(plan_, proxy()), {home_ / "x1"});
  expect_own_files(setup_dovecot_proxy(plan_, proxy(), "/usr/sbin/dovecot"), {home_ / "x1"});
  expect_own_files(setup_mail_database(plan_, "/usr/lib/postgresql/15/bin"), {home_ / "db"});
}

TEST_F(MailServersTest, QueuesAndMailboxesGoWhereThePlanSays) {
  plan_.mail.data = "/srv/disk";
  const ServiceSetup setup = postfix();
  expect_own_files(setup, {home_ / "n1", "/srv/disk/mail/n1"});
  EXPECT_THAT(setup.folders, Contains("/srv/disk/mail/n1/queue/incoming"));
  EXPECT_THAT(text(setup, "main.cf"), AllOf(HasSubstr("queue_directory = /srv/disk/mail/n1/queue\n"),
                                            HasSubstr("virtual_mailbox_base = /srv/disk/mail/n1/mail\n")));
  EXPECT_THAT(text(dovecot(), "users"), HasSubstr("/srv/disk/mail/n1/mail/user0001:"));
}

TEST_F(MailServersTest, PostfixKnowsTheMailboxesOfItsNodeOnly) {
  EXPECT_EQ(text(postfix(), "mailboxes"),
            "user0001@bench.test user0001/Maildir/\n"
            "user0003@bench.test user0003/Maildir/\n"
            "health-n1@bench.test health-n1/Maildir/\n");
}

TEST_F(MailServersTest, DovecotKnowsTheMailboxesOfItsNodeOnly) {
  EXPECT_EQ(text(dovecot(), "users"),
            "user0001@bench.test:{PLAIN}secret0001:5000:5000::/run/scalemark/mail/n1/data/mail/user0001::\n"
            "user0003@bench.test:{PLAIN}secret0003:5000:5000::/run/scalemark/mail/n1/data/mail/user0003::\n"
            "health-n1@bench.test:{PLAIN}health1:5000:5000::/run/scalemark/mail/n1/data/mail/health-n1::\n");
}

TEST_F(MailServersTest, PostfixStaysInItsSessionAndHasNoLimitsThatABenchmarkMeets) {
  const ServiceSetup setup = postfix();
  EXPECT_THAT(setup.argv, ElementsAre("/usr/lib/postfix/sbin/master", "-c", home_ / "n1/postfix"));
  const std::string main = text(setup, "main.cf");
  for (const char* line :
       {"myhostname = n1.bench.test\n", "inet_interfaces = all\n", "disable_dns_lookups = yes\n",
        "smtpd_peername_lookup = no\n", "smtpd_client_connection_count_limit = 0\n",
        "smtpd_client_connection_rate_limit = 0\n", "smtpd_client_event_limit_exceptions = static:all\n",
        "smtpd_error_sleep_time = 0\n", "in_flow_delay = 0\n", "virtual_mailbox_limit = 0\n",
        "default_process_limit = 200\n", "minimal_backoff_time = 5s\n",
        "smtpd_relay_restrictions = reject_unauth_destination\n"}) {
    EXPECT_THAT(main, HasSubstr(line));
  }
  EXPECT_EQ(text(setup, "master.cf").find(" y "), std::string::npos) << "something runs in a chroot";
  plan_.mail.accounts = 1000;
  EXPECT_THAT(text(postfix(), "main.cf"), HasSubstr("default_process_limit = 1050\n"));
}

TEST_F(MailServersTest, DovecotStaysInItsSessionAndHasNoLimitsThatABenchmarkMeets) {
  const ServiceSetup setup = dovecot();
  EXPECT_THAT(setup.argv, ElementsAre("/usr/sbin/dovecot", "-F", "-c", home_ / "n1/dovecot/dovecot.conf"));
  const std::string conf = text(setup, "dovecot.conf");
  for (const char* line :
       {"hostname = n1.bench.test\n", "service_count = 0\n", "mail_max_userip_connections = 0\n",
        "auth_failure_delay = 0\n", "disable_plaintext_auth = no\n", "auth_cache_size = 10M\n",
        "login_trusted_networks = 10.0.0.0/8\n", "default_client_limit = 4096\n", "process_limit = 512\n"}) {
    EXPECT_THAT(conf, HasSubstr(line));
  }
  EXPECT_EQ(std::count(conf.begin(), conf.end(), '{'), std::count(conf.begin(), conf.end(), '}'));
}

TEST_F(MailServersTest, DeliveryIsByPostfixOrOverLmtp) {
  EXPECT_THAT(text(postfix(), "main.cf"), HasSubstr("virtual_transport = virtual\n"));
  EXPECT_THAT(text(dovecot(), "dovecot.conf"),
              AllOf(HasSubstr("protocols = pop3\n"), Not(HasSubstr("lmtp"))));
  plan_.mail.delivery = Delivery::lmtp;
  EXPECT_THAT(text(postfix(), "main.cf"),
              HasSubstr("virtual_transport = lmtp:unix:/run/scalemark/mail/n1/run/lmtp\n"));
  EXPECT_THAT(text(dovecot(), "dovecot.conf"),
              AllOf(HasSubstr("protocols = pop3 lmtp\n"), HasSubstr("unix_listener lmtp {\n")));
}

TEST_F(MailServersTest, NginxAsksTheMapBesideIt) {
  const ServiceSetup nginx = setup_nginx_mail_proxy(plan_, proxy(), "/usr/sbin/nginx");
  EXPECT_THAT(text(nginx, "nginx.conf"),
              AllOf(HasSubstr("auth_http 127.0.0.1:9000/auth;"), HasSubstr("listen 0.0.0.0:25 "),
                    HasSubstr("listen 0.0.0.0:110 "), HasSubstr("daemon off;"),
                    HasSubstr("server_name x1.bench.test;")));
  EXPECT_THAT(setup_mail_map(plan_, proxy(), "/usr/bin/scalemark").argv,
              ElementsAre("/usr/bin/scalemark", "mail-map", "--listen", "127.0.0.1:9000", "--database",
                          "host=/run/scalemark/mail/db/socket port=5499 dbname=mail user=mailmap",
                          "--connections", "4", "--time-out", "2s"));
}

TEST_F(MailServersTest, TheGatewayAsksForRecipientsAndForTheirNodes) {
  const ServiceSetup gateway = setup_postfix_gateway(plan_, proxy());
  EXPECT_THAT(
      text(gateway, "main.cf"),
      AllOf(HasSubstr("relay_domains = bench.test\n"),
            HasSubstr("relay_recipient_maps = proxy:pgsql:/run/scalemark/mail/x1/postfix/recipients.cf\n"),
            HasSubstr("transport_maps = proxy:pgsql:/run/scalemark/mail/x1/postfix/transport.cf\n"),
            Not(HasSubstr("virtual_"))));
  EXPECT_THAT(text(gateway, "transport.cf"),
              AllOf(HasSubstr("host=/run/scalemark/mail/db/socket&port=5499&user=mailmap\n"),
                    HasSubstr("SELECT 'smtp:[' || host(node) || ']:25' FROM mailboxes WHERE name = '%s'")));
  EXPECT_THAT(text(gateway, "dynamicmaps.cf"), HasSubstr("pgsql postfix-pgsql.so"));
}

TEST_F(MailServersTest, DovecotsProxyAsksForEveryLogin) {
  const ServiceSetup setup = setup_dovecot_proxy(plan_, proxy(), "/usr/sbin/dovecot");
  EXPECT_THAT(text(setup, "dovecot.conf"),
              AllOf(HasSubstr("driver = sql\n"), HasSubstr("auth_cache_size = 0\n")));
  EXPECT_THAT(text(setup, "map.conf"), HasSubstr("host(node) AS host, 'Y' AS proxy"));
}

TEST_F(MailServersTest, TheDatabaseHasNoNetworkAndDoesNotRunAsRoot) {
  const ServiceSetup setup = setup_mail_database(plan_, "/usr/lib/postgresql/15/bin");
  EXPECT_THAT(setup.argv, AllOf(Contains("--reuid=postgres"), Contains("/usr/lib/postgresql/15/bin/postgres"),
                                Contains("listen_addresses="), Contains("fsync=off")));
  EXPECT_THAT(setup.argv, Contains("unix_socket_directories=/run/scalemark/mail/db/socket"));
}

}  // namespace
}  // namespace scalemark::testbed
