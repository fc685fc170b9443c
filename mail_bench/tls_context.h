// TLS as a client of mail servers: what certificates are checked against, and why a handshake failed.
//
// A context is shared by all streams of a run, immutable and thread-safe.
#pragma once

#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace scalemark::mail {

class TlsContext {
 public:
  /// `ca_file`: trust this file instead of the system's store ("" : the system's). `insecure`: accept any
  /// certificate. Throws UsageError when the file cannot be read as certificates.
  TlsContext(const std::string& ca_file, bool insecure);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  /// The client's side of a new connection to `host`, a name or an address in figures, whose certificate will
  /// be checked for it. The caller frees it; null when memory is short.
  [[nodiscard]] ssl_st* open(const std::string& host) const;

 private:
  ssl_ctx_st* context_;
};

/// Why a handshake failed, in words. `error` is OpenSSL's, 0 when there was none: the peer just went.
[[nodiscard]] std::string handshake_reason(const ssl_st* ssl, unsigned long error);

}  // namespace scalemark::mail
