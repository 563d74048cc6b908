/* SHA-256 and HMAC against the examples of FIPS 180-4 and of RFC 4231, and in pieces of all lengths. */
#include "base/sha256.h"
#include "job.h"

static void is_hex(const unsigned char *bytes, const char *hex) {
    char text[2 * MER_SHA256_BYTES + 1];
    for (int i = 0; i < MER_SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    CHECK(strcmp(text, hex) == 0);
}

/* Computes the digest of n bytes that are given in pieces of `piece' bytes. */
static void digest(const void *bytes, size_t n, size_t piece, unsigned char out[MER_SHA256_BYTES]) {
    struct mer_sha256 sha;
    mer_sha256_begin(&sha);
    for (size_t at = 0; at < n; at += piece)
        mer_sha256_add(&sha, (const char *)bytes + at, n - at < piece ? n - at : piece);
    mer_sha256_end(&sha, out);
}

static void digests(void) {
    static const struct {
        const char *text, *hex;
    } examples[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    static char million[1000000];
    unsigned char got[MER_SHA256_BYTES], whole[MER_SHA256_BYTES];
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (size_t piece = 1; piece < 70; piece++) {
            digest(examples[i].text, strlen(examples[i].text), piece, got);
            is_hex(got, examples[i].hex);
        }
    memset(million, 'a', sizeof million);
    digest(million, sizeof million, 999, got);
    is_hex(got, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    for (size_t n = 0; n < 300; n++) /* the padding at every length of the last block */
        for (size_t piece = 1; piece < 130; piece += 9) {
            digest(million, n, n + 1, whole);
            digest(million, n, piece, got);
            CHECK(mer_equal_in_constant_time(got, whole, sizeof got));
        }
}

static void codes(void) {
    unsigned char key[64], data[152], got[MER_SHA256_BYTES];
    memset(key, 0x0b, 20);
    mer_hmac_sha256(key, 20, "Hi There", 8, got);
    is_hex(got, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    mer_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, got);
    is_hex(got, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, 20);
    memset(data, 0xdd, 50);
    mer_hmac_sha256(key, 20, data, 50, got);
    is_hex(got, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
}

static void comparisons(void) {
    unsigned char a[32] = {0}, b[32] = {0};
    CHECK(mer_equal_in_constant_time(a, b, 32) && mer_equal_in_constant_time(a, b, 0));
    for (int i = 0; i < 256; i++) {
        b[i / 8] ^= (unsigned char)(1 << i % 8);
        CHECK(!mer_equal_in_constant_time(a, b, 32));
        b[i / 8] ^= (unsigned char)(1 << i % 8);
    }
}

int main(void) {
    digests();
    codes();
    comparisons();
    return 0;
}
