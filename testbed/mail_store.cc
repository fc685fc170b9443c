#include "testbed/mail_store.h"

#include <algorithm>

namespace scalemark::testbed {

MailboxSession::MailboxSession(Mailbox& mailbox, std::size_t mails) : mailbox_(mailbox), marked_(mails) {
  mailbox_.open = true;
}

MailboxSession::~MailboxSession() {
  mailbox_.open = false;
}

void MailboxSession::unmark_all() {
  marked_.assign(marked_.size(), false);
}

std::pair<std::size_t, std::uint64_t> MailboxSession::unmarked() const {
  std::size_t count = 0;
  std::uint64_t octets = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!marked_[i]) {
      ++count;
      octets += mail(i).text->octets();
    }
  }
  return {count, octets};
}

// New mails came behind those of the session, so places still hold.
std::vector<KeptMail> MailboxSession::commit() {
  std::vector<KeptMail> gone;
  std::size_t staying = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (marked_[i]) {
      gone.push_back(std::move(mailbox_.mails[i]));
    } else {
      if (staying != i) {
        mailbox_.mails[staying] = std::move(mailbox_.mails[i]);
      }
      ++staying;
    }
  }
  const auto begin = mailbox_.mails.begin();
  mailbox_.mails.erase(begin + static_cast<std::ptrdiff_t>(staying),
                       begin + static_cast<std::ptrdiff_t>(size()));
  marked_.clear();
  return gone;
}

std::uint64_t MailStore::deliver(std::string_view name, std::shared_ptr<const MailText> text, TimePoint now) {
  mailbox(name).mails.push_back({std::move(text), ++deliveries_, now + visible_after_});
  return deliveries_;
}

std::unique_ptr<MailboxSession> MailStore::open(std::string_view name, TimePoint now) {
  Mailbox& box = mailbox(name);
  if (box.open) {
    return nullptr;
  }
  const auto visible = std::partition_point(box.mails.begin(), box.mails.end(),
                                            [now](const KeptMail& mail) { return mail.visible_at <= now; });
  return std::make_unique<MailboxSession>(box, static_cast<std::size_t>(visible - box.mails.begin()));
}

std::uint64_t MailStore::kept() const {
  std::uint64_t sum = 0;
  for (const auto& [name, box] : mailboxes_) {
    sum += box.mails.size();
  }
  return sum;
}

Mailbox& MailStore::mailbox(std::string_view name) {
  const auto known = mailboxes_.find(name);
  return known != mailboxes_.end() ? known->second : mailboxes_.try_emplace(std::string(name)).first->second;
}

std::string mailbox_name(std::string_view address) {
  std::string name(address);
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return name;
}

}  // namespace scalemark::testbed
