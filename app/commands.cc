#include "app/command.h"
#include "app/doctor_command.h"
#include "app/files_command.h"
#include "app/mail_command.h"
#include "app/mail_map_command.h"
#include "app/mail_sink_command.h"
#include "app/mailboxes_command.h"
#include "app/report_command.h"
#include "app/serve_command.h"
#include "app/study_command.h"
#include "app/testbed_down_command.h"
#include "app/testbed_run_command.h"
#include "app/testbed_status_command.h"
#include "app/testbed_up_command.h"
#include "app/web_command.h"

namespace scalemark::app {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_web_command());
  commands.push_back(make_mail_command());
  commands.push_back(make_mailboxes_command());
  commands.push_back(make_files_web_command());
  commands.push_back(make_files_check_command());
  commands.push_back(make_serve_command());
  commands.push_back(make_mail_sink_command());
  commands.push_back(make_mail_map_command());
  commands.push_back(make_study_command());
  commands.push_back(make_testbed_up_command(testbed::ServiceKind::web));
  commands.push_back(make_testbed_up_command(testbed::ServiceKind::mail));
  commands.push_back(make_testbed_status_command());
  commands.push_back(make_testbed_run_command());
  commands.push_back(make_testbed_down_command());
  commands.push_back(make_report_command());
  commands.push_back(make_compare_command());
  commands.push_back(make_doctor_command());
  return commands;
}

}  // namespace scalemark::app
