#include "tests/support/tls_filter.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <stdexcept>

namespace scalemark::test_support {

TlsFilter::TlsFilter(Certificate certificate) : ssl_(SSL_new(server_context(certificate))) {
  if (ssl_ == nullptr) {
    throw std::runtime_error("OpenSSL makes no connection");
  }
  SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(ssl_);
}

TlsFilter::~TlsFilter() {
  SSL_free(ssl_);
}

bool TlsFilter::feed(std::string_view wire, std::string& plain) {
  ERR_clear_error();
  BIO_write(SSL_get_rbio(ssl_), wire.data(), static_cast<int>(wire.size()));
  int result = 0;
  if (!up_) {
    result = SSL_do_handshake(ssl_);
    up_ = result == 1;
  }
  std::array<char, 65536> buffer;
  while (up_ && (result = SSL_read(ssl_, buffer.data(), static_cast<int>(buffer.size()))) > 0) {
    plain.append(buffer.data(), static_cast<std::size_t>(result));
  }
  const int why = SSL_get_error(ssl_, result);
  return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_ZERO_RETURN;
}

void TlsFilter::write(std::string_view plain) {
  if (!plain.empty() && SSL_write(ssl_, plain.data(), static_cast<int>(plain.size())) <= 0) {
    throw std::runtime_error("OpenSSL does not encrypt");
  }
}

void TlsFilter::close() {
  SSL_shutdown(ssl_);
}

std::string TlsFilter::take_wire() {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(SSL_get_wbio(ssl_), &bytes);
  std::string wire(bytes, static_cast<std::size_t>(size));
  BIO_reset(SSL_get_wbio(ssl_));
  return wire;
}

std::string TlsFilter::server_name() const {
  const char* name = SSL_get_servername(ssl_, TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? "" : name;
}

}  // namespace scalemark::test_support
