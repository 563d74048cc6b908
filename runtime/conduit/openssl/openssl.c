/* The module encrypt-openssl.so: the cryptography of secure channels (conduit/channel.h) by OpenSSL.
 *
 * The handshake is TLS 1.3's with an external pre-shared key and an ephemeral key exchange (psk_dhe_ke), the
 * only mode for two ends without certificates.  Its records stay in memory; the channel carries them.  The
 * library's state of the handshake is freed afterwards, so that a connection costs two contexts of
 * AES-128-GCM.
 */
#include "conduit/channel.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KEY 16      /* bytes of AES-128's key */
#define NONCE 12    /* and of a nonce */
#define CHAIN 32    /* and of the secret from which keys are derived */
#define GATHER 2048 /* parts of shorter records are gathered first: a call costs as much as the copy */

/* The keys of one direction of the stream. */
struct direction {
    EVP_CIPHER_CTX *context;
    unsigned char chain[CHAIN], nonce[NONCE];
    uint64_t number; /* of the next record */
};

struct end {
    SSL *handshake; /* null after its end */
    bool calls;
    uint64_t rekey;
    size_t secret_n;
    unsigned char secret[64];
    struct direction out, in;
};

static SSL_CTX *settings;

/* ---- the secret, as TLS takes it ---- */

/* Returns the session that represents the external pre-shared key, or null. */
static SSL_SESSION *session_of(SSL *ssl) {
    static const unsigned char suite[] = {0x13, 0x01}; /* TLS_AES_128_GCM_SHA256 */
    const struct end *end = SSL_get_app_data(ssl);
    SSL_SESSION *session = SSL_SESSION_new();
    const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, suite);
    if (session && cipher && SSL_SESSION_set1_master_key(session, end->secret, end->secret_n) &&
        SSL_SESSION_set_cipher(session, cipher) && SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION))
        return session;
    SSL_SESSION_free(session);
    return NULL;
}

/* Gives the caller's TLS the secret.  The secret belongs to this connection alone, so its name identifies
 * nothing. */
static int use_secret(SSL *ssl, const EVP_MD *digest, const unsigned char **name, size_t *n,
                      SSL_SESSION **session) {
    (void)digest;
    *name = (const unsigned char *)"meridian";
    *n = strlen("meridian");
    *session = session_of(ssl);
    return *session != NULL;
}

static int find_secret(SSL *ssl, const unsigned char *name, size_t n, SSL_SESSION **session) {
    (void)name;
    (void)n;
    *session = session_of(ssl);
    return *session != NULL;
}

/* ---- keys ---- */

/* Sets the key and the first nonce of a direction, from its chain. */
static bool set_key(struct direction *direction, int encrypts) {
    unsigned char derived[EVP_MAX_MD_SIZE];
    bool good = HMAC(EVP_sha256(), direction->chain, CHAIN, (const unsigned char *)"key", 3, derived, NULL) &&
                EVP_CipherInit_ex(direction->context, EVP_aes_128_gcm(), NULL, derived, NULL, encrypts);
    memcpy(direction->nonce, derived + KEY, NONCE);
    OPENSSL_cleanse(derived, sizeof derived);
    return good;
}

/* Changes to the next key, from which the old one cannot be computed. */
static bool change_key(struct direction *direction, int encrypts) {
    unsigned char next[EVP_MAX_MD_SIZE];
    bool good = HMAC(EVP_sha256(), direction->chain, CHAIN, (const unsigned char *)"next", 4, next, NULL);
    memcpy(direction->chain, next, CHAIN);
    OPENSSL_cleanse(next, sizeof next);
    return good && set_key(direction, encrypts);
}

/* Begin a record: set its key and its nonce, and authenticate its head. */
static bool begin_record(struct end *end, struct direction *direction, const void *head, size_t head_n) {
    unsigned char nonce[NONCE];
    int encrypts = direction == &end->out, n;
    uint64_t number = direction->number++;
    if (number && number % end->rekey == 0 && !change_key(direction, encrypts))
        return false;
    memcpy(nonce, direction->nonce, NONCE);
    for (int i = 0; i < 8; i++)
        nonce[NONCE - 1 - i] ^= (unsigned char)(number >> 8 * i);
    return EVP_CipherInit_ex(direction->context, NULL, NULL, NULL, nonce, encrypts) &&
           EVP_CipherUpdate(direction->context, NULL, &n, head, (int)head_n);
}

static bool seal(void *handle, const void *head, size_t head_n, const struct iovec *parts, int nparts,
                 void *out) {
    struct end *end = handle;
    EVP_CIPHER_CTX *context = end->out.context;
    unsigned char *at = out;
    struct iovec gathered = {out, 0};
    size_t whole = 0;
    int n;
    for (int i = 0; i < nparts; i++)
        whole += parts[i].iov_len;
    if (!begin_record(end, &end->out, head, head_n))
        return false;
    if (whole <= GATHER) {
        for (int i = 0; i < nparts; i++, gathered.iov_len += parts[i - 1].iov_len)
            memcpy(at + gathered.iov_len, parts[i].iov_base, parts[i].iov_len);
        parts = &gathered;
        nparts = 1;
    }
    for (int i = 0; i < nparts; i++, at += n)
        if (!EVP_EncryptUpdate(context, at, &n, parts[i].iov_base, (int)parts[i].iov_len))
            return false;
    return EVP_EncryptFinal_ex(context, at, &n) &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, MER_CHANNEL_TAG, at);
}

static bool unseal(void *handle, const void *head, size_t head_n, void *bytes, size_t n) {
    struct end *end = handle;
    EVP_CIPHER_CTX *context = end->in.context;
    int some;
    return begin_record(end, &end->in, head, head_n) &&
           EVP_DecryptUpdate(context, bytes, &some, bytes, (int)n) &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, MER_CHANNEL_TAG, (unsigned char *)bytes + n) &&
           EVP_DecryptFinal_ex(context, (unsigned char *)bytes + n, &some) > 0;
}

/* ---- ends ---- */

static void finish(void *handle) {
    struct end *end = handle;
    SSL_free(end->handshake);
    EVP_CIPHER_CTX_free(end->out.context);
    EVP_CIPHER_CTX_free(end->in.context);
    OPENSSL_cleanse(end, sizeof *end);
    free(end);
}

static void *begin(const unsigned char *secret, size_t n, bool calls, uint64_t rekey) {
    struct end *end = calloc(1, sizeof *end);
    if (!end || n > sizeof end->secret) {
        free(end);
        return NULL;
    }
    end->calls = calls;
    end->rekey = rekey;
    end->secret_n = n;
    memcpy(end->secret, secret, n);
    end->handshake = SSL_new(settings);
    end->out.context = EVP_CIPHER_CTX_new();
    end->in.context = EVP_CIPHER_CTX_new();
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    if (!end->handshake || !end->out.context || !end->in.context || !in || !out) {
        BIO_free(in);
        BIO_free(out);
        finish(end);
        return NULL;
    }
    SSL_set_bio(end->handshake, in, out);
    SSL_set_app_data(end->handshake, end);
    if (calls) {
        SSL_set_verify(end->handshake, SSL_VERIFY_PEER, NULL); /* no certificate replaces the secret */
        SSL_set_connect_state(end->handshake);
    } else {
        SSL_set_accept_state(end->handshake); /* the callee has no certificate either */
    }
    return end;
}

/* Returns true if the finished handshake used the secret, and sets the keys of both directions from it. */
static bool export_keys(struct end *end) {
    static const char label[] = "EXPORTER-meridian-records";
    unsigned char chains[2 * CHAIN];
    bool good = SSL_session_reused(end->handshake) && SSL_version(end->handshake) == TLS1_3_VERSION &&
                BIO_pending(SSL_get_rbio(end->handshake)) == 0 &&
                SSL_export_keying_material(end->handshake, chains, sizeof chains, label, sizeof label - 1,
                                           NULL, 0, 0);
    memcpy(end->out.chain, chains + (end->calls ? 0 : CHAIN), CHAIN);
    memcpy(end->in.chain, chains + (end->calls ? CHAIN : 0), CHAIN);
    OPENSSL_cleanse(chains, sizeof chains);
    OPENSSL_cleanse(end->secret, sizeof end->secret);
    return good && set_key(&end->out, 1) && set_key(&end->in, 0);
}

static enum mer_agreement agree(void *handle, const void *in, size_t n, void *out, size_t most,
                                size_t *out_n) {
    struct end *end = handle;
    if (n && BIO_write(SSL_get_rbio(end->handshake), in, (int)n) != (int)n)
        return MER_AGREEMENT_FAILED;
    ERR_clear_error(); /* errors of the program's own use of the library, which SSL_get_error would see */
    int result = SSL_do_handshake(end->handshake);
    bool waits = result != 1 && SSL_get_error(end->handshake, result) == SSL_ERROR_WANT_READ;
    if (BIO_pending(SSL_get_wbio(end->handshake)) > (int)most || (result != 1 && !waits))
        return MER_AGREEMENT_FAILED;
    int written = BIO_read(SSL_get_wbio(end->handshake), out, (int)most);
    *out_n = written > 0 ? (size_t)written : 0;
    if (waits)
        return MER_AGREEMENT_GOES_ON;
    bool good = export_keys(end);
    SSL_free(end->handshake);
    end->handshake = NULL;
    return good ? MER_AGREEMENT_REACHED : MER_AGREEMENT_FAILED;
}

/* ---- the module ---- */

/* Make the settings of all handshakes.  The host's configuration of OpenSSL is not loaded, because it could
 * exclude algorithms that both ends need. */
static void make_settings(void) {
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
    SSL_CTX *all = SSL_CTX_new(TLS_method());
    if (!all || !SSL_CTX_set_min_proto_version(all, TLS1_3_VERSION) ||
        !SSL_CTX_set_max_proto_version(all, TLS1_3_VERSION) ||
        !SSL_CTX_set_ciphersuites(all, "TLS_AES_128_GCM_SHA256") || !SSL_CTX_set_num_tickets(all, 0)) {
        SSL_CTX_free(all);
        return;
    }
    SSL_CTX_set_psk_use_session_callback(all, use_secret);
    SSL_CTX_set_psk_find_session_callback(all, find_secret);
    settings = all;
}

__attribute__((visibility("default"))) const struct mer_cipher *mer_cipher_module(void);
const struct mer_cipher *mer_cipher_module(void) {
    static const struct mer_cipher cipher = {.abi = MER_CIPHER_ABI,
                                             .begin = begin,
                                             .agree = agree,
                                             .seal = seal,
                                             .unseal = unseal,
                                             .finish = finish};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_settings);
    return settings ? &cipher : NULL;
}
