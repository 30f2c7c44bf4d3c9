// The library of TLS: Debian's libssl-dev, Homebrew's openssl@3.
#ifndef BACKLOT_COPENSSL_H
#define BACKLOT_COPENSSL_H

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// What the library offers as macros only.

typedef int backlot_ticket_key_callback(
    SSL *ssl, unsigned char *name, unsigned char *vector, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int isNew);
typedef int backlot_server_name_callback(SSL *ssl, int *alert, void *argument);

static inline int backlot_ssl_versions(SSL_CTX *context, int least, int most) {
    return SSL_CTX_set_min_proto_version(context, least) == 1 && SSL_CTX_set_max_proto_version(context, most) == 1;
}

static inline int backlot_ssl_groups(SSL_CTX *context, const char *names) { return SSL_CTX_set1_groups_list(context, names); }

static inline int backlot_ssl_signatures(SSL_CTX *context, const char *names) {
    return SSL_CTX_set1_sigalgs_list(context, names) == 1 && SSL_CTX_set1_client_sigalgs_list(context, names) == 1;
}

static inline void backlot_ssl_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
        | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN);
    // A read ends where the buffer does, whatever came: otherwise messages without data could keep a thread for ever.
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_read_ahead(context, 1);
}

static inline void backlot_ssl_no_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int backlot_ssl_add_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

static inline void backlot_ssl_verify_store(SSL_CTX *context, X509_STORE *store) {
    SSL_CTX_set1_verify_cert_store(context, store);
}

static inline void backlot_ssl_ticket_keys(SSL_CTX *context, backlot_ticket_key_callback *callback) {
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}

// A ticket is authenticated with HMAC-SHA-256.
static inline int backlot_ticket_mac(EVP_MAC_CTX *mac, unsigned char *key, size_t length) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key, length),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters) == 1;
}

static inline void backlot_ssl_server_name(SSL_CTX *context, backlot_server_name_callback *callback, void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline int backlot_ssl_ask_for(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name) == 1; }

// The flags are macros with casts, or values that Swift takes for signed.
static inline void backlot_ssl_options(SSL_CTX *context, int isServer) {
    unsigned long long options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;
    if (isServer) {
        options |= SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF;
    }
    SSL_CTX_set_options(context, options);
}

static inline void backlot_ssl_no_tickets(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_NO_TICKET); }

// A name as RFC 2253 writes it; letters beyond ASCII's in UTF-8.
static inline int backlot_x509_print(BIO *memory, const X509_NAME *name) {
    return X509_NAME_print_ex(memory, name, 0, (XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB)) >= 0;
}

// Without the library's clean-up at exit, which would take memory from connections that other threads still work on.
static inline int backlot_ssl_begin(void) { return OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL); }

#endif
