// What end-to-end mail runs share: the built-in sink as a process, and the built command run on it.
//
// Belongs to one thread. Records are read back as JSON, as any user of the tool would.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/run_record.h"
#include "tests/app/program.h"

namespace scalemark::e2e {

/// `scalemark mail-sink` on free ports, with these options.
class MailSinkProcess {
 public:
  explicit MailSinkProcess(const std::vector<std::string>& more = {});
  [[nodiscard]] const std::string& smtp() const { return smtp_; }
  [[nodiscard]] const std::string& pop3() const { return pop3_; }
  void send(int signal) const { program_->send(signal); }
  /// Delivers a message over SMTP by libcurl, as any mail program would.
  void deliver(const std::string& recipient, const std::string& text) const;
  /// Ends the sink in good order and counts its log's lines by event.
  [[nodiscard]] std::map<std::string, std::uint64_t> events() const;

 private:
  std::filesystem::path log_;
  std::unique_ptr<app::Program> program_;
  std::string smtp_;
  std::string pop3_;
};

/// A file with the accounts user0001@example.test ... and their passwords.
[[nodiscard]] std::filesystem::path accounts_file(unsigned accounts);

/// What a finished run left.
struct MailFinished {
  int code = -1;
  std::string out;
  std::string err;
  RunRecord record;  ///< empty when the command wrote none

  [[nodiscard]] const Json& iteration(std::size_t index = 0) const { return record.iterations.at(index); }
};

/// The words of a short run against the sink, with these options after the usual ones.
[[nodiscard]] std::vector<std::string> mail_words(const MailSinkProcess& sink,
                                                  const std::vector<std::string>& options);
/// Runs it and reads the record that it wrote.
[[nodiscard]] MailFinished run_mail(const MailSinkProcess& sink, const std::vector<std::string>& options);
/// Where mail_words() has the record written.
[[nodiscard]] std::filesystem::path mail_record_path();

/// The run was in order. That a busy machine made the generator late (exit code 5) is allowed where counts
/// are tested: they must be right all the same.
[[nodiscard]] bool ran(const MailFinished& run);

/// Returns once the preflight is over and users are about to start.
void wait_for_mail_load(app::Program& program);

}  // namespace scalemark::e2e
