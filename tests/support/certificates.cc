#include "tests/support/certificates.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace scalemark::test_support {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Paper = std::unique_ptr<X509, decltype(&X509_free)>;
using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

constexpr long kDay = 24L * 60 * 60;

void must(bool done, const char* what) {
  if (!done) {
    throw std::runtime_error(std::string("OpenSSL makes no certificate: ") + what);
  }
}

Key make_key() {
  Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  must(key != nullptr, "key");
  return key;
}

struct Wording {
  const char* name;
  const char* alternative_names;  ///< null: this is an authority
  long first_day = -1;            ///< from now
  long last_day = 2;
};

void extend(X509* paper, int what, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, what, value);
  must(extension != nullptr && X509_add_ext(paper, extension, -1) == 1, value);
  X509_EXTENSION_free(extension);
}

/// A certificate for `key`, signed by `issuer`; null: by itself.
Paper make_paper(const Wording& wording, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key) {
  static long serial = 0;
  Paper paper(X509_new(), &X509_free);
  must(paper != nullptr, "memory");
  X509_set_version(paper.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(paper.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(paper.get()), wording.first_day * kDay);
  X509_gmtime_adj(X509_getm_notAfter(paper.get()), wording.last_day * kDay);
  X509_set_pubkey(paper.get(), key);
  X509_NAME* name = X509_get_subject_name(paper.get());
  must(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                  reinterpret_cast<const unsigned char*>(wording.name), -1, -1, 0) == 1,
       "name");
  X509_set_issuer_name(paper.get(), issuer == nullptr ? name : X509_get_subject_name(issuer));
  if (wording.alternative_names == nullptr) {
    extend(paper.get(), NID_basic_constraints, "critical,CA:TRUE");
    extend(paper.get(), NID_key_usage, "critical,keyCertSign");
  } else {
    extend(paper.get(), NID_subject_alt_name, wording.alternative_names);
  }
  must(X509_sign(paper.get(), issuer_key, EVP_sha256()) > 0, "signature");
  return paper;
}

struct Authority {
  explicit Authority(const char* name)
      : key(make_key()), paper(make_paper({name, nullptr}, key.get(), nullptr, key.get())) {}
  Key key;
  Paper paper;
};

Context make_context(const Authority& authority, const Wording& wording) {
  const Key key = make_key();
  const Paper paper = make_paper(wording, key.get(), authority.paper.get(), authority.key.get());
  Context context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  must(context != nullptr && SSL_CTX_use_certificate(context.get(), paper.get()) == 1 &&
           SSL_CTX_use_PrivateKey(context.get(), key.get()) == 1,
       "context");
  return context;
}

/// The authority's file and all that was signed, until the process ends.
class Office {
 public:
  Office() {
    file_ = (std::filesystem::temp_directory_path() / "scalemark-authority-XXXXXX").string();
    const int fd = mkstemp(file_.data());
    must(fd >= 0, "no file for the authority");
    FILE* file = fdopen(fd, "w");
    must(file != nullptr, "no file for the authority");
    const bool written = PEM_write_X509(file, trusted_.paper.get()) == 1;
    must(std::fclose(file) == 0 && written, "the authority's file cannot be written");
  }
  ~Office() { unlink(file_.c_str()); }
  Office(const Office&) = delete;
  Office& operator=(const Office&) = delete;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] SSL_CTX* context(Certificate certificate) const {
    return contexts_.at(static_cast<std::size_t>(certificate)).get();
  }

 private:
  static constexpr const char* kNames = "DNS:mail.test,DNS:localhost,IP:127.0.0.1,IP:::1";

  Authority trusted_{"scalemark test authority"};
  Authority other_{"another authority"};
  std::array<Context, 4> contexts_{
      make_context(trusted_, {kCertificateHost, kNames}),
      make_context(trusted_, {"other.test", "DNS:other.test"}),
      make_context(other_, {kCertificateHost, kNames}),
      make_context(trusted_, {kCertificateHost, kNames, -3, -1}),
  };
  std::string file_;
};

const Office& office() {
  static const Office the_office;
  return the_office;
}

}  // namespace

const std::string& authority_file() {
  return office().file();
}

ssl_ctx_st* server_context(Certificate certificate) {
  return office().context(certificate);
}

}  // namespace scalemark::test_support
