// Certificates for tests of TLS: an authority of the test's own, and what it (or another one) has signed.
//
// Made when first asked for, once per process, with keys that nobody keeps. The authority is a file, since
// that is what clients are told to trust; it goes away when the process ends. Thread-safe. Throws
// std::runtime_error when OpenSSL refuses.
#pragma once

#include <cstdint>
#include <string>

struct ssl_ctx_st;

namespace scalemark::test_support {

/// What a server shows. All but the one that says so are for kCertificateHost and the loopback addresses, and
/// signed by the authority.
enum class Certificate : std::uint8_t {
  good,
  wrong_name,  ///< for other.test only
  untrusted,   ///< signed by an authority that nobody trusts
  expired,
};

inline constexpr const char* kCertificateHost = "mail.test";

/// The authority's certificate, a PEM file.
[[nodiscard]] const std::string& authority_file();
/// What a server with this certificate starts TLS with.
[[nodiscard]] ssl_ctx_st* server_context(Certificate certificate);

}  // namespace scalemark::test_support
