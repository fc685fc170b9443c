#include "mail_bench/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "core/error.h"

namespace scalemark::mail {
namespace {

std::string last_reason() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return reason == nullptr ? "no reason given" : reason;
}

/// Trusts the file's certificates, or the system's.
bool trust(SSL_CTX* context, const std::string& ca_file) {
  return ca_file.empty() ? SSL_CTX_set_default_verify_paths(context) == 1
                         : SSL_CTX_load_verify_locations(context, ca_file.c_str(), nullptr) == 1;
}

}  // namespace

TlsContext::TlsContext(const std::string& ca_file, bool insecure)
    : context_(SSL_CTX_new(TLS_client_method())) {
  if (context_ == nullptr) {
    throw RunError("cannot prepare TLS: " + last_reason());
  }
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  // Replies say themselves whether they are whole, so an end without farewell is like any other. Idle
  // connections give their buffers back. No session is resumed: every handshake is a whole one.
  SSL_CTX_set_options(context_, SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context_, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(context_, insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  if (!trust(context_, ca_file)) {
    SSL_CTX_free(context_);
    throw UsageError("cannot read certificates from " +
                     (ca_file.empty() ? "the system's store" : "'" + ca_file + "'") + ": " + last_reason() +
                     "; give a PEM file of the authority that signed the server's certificate");
  }
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

ssl_st* TlsContext::open(const std::string& host) const {
  SSL* ssl = SSL_new(context_);
  if (ssl == nullptr) {
    return nullptr;
  }
  X509_VERIFY_PARAM* wanted = SSL_get0_param(ssl);
  const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1;
  if (!is_address) {
    ERR_clear_error();
    X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), host.size());
    SSL_set_tlsext_host_name(ssl, host.c_str());
  }
  return ssl;
}

std::string handshake_reason(const ssl_st* ssl, unsigned long error) {
  const long verdict = SSL_get_verify_result(ssl);
  if (verdict != X509_V_OK) {
    return std::string("the server's certificate: ") + X509_verify_cert_error_string(verdict);
  }
  const char* reason = ERR_reason_error_string(error);
  return reason == nullptr ? "the server ended the connection during the TLS handshake" : reason;
}

}  // namespace scalemark::mail
