/* The C library's functions on memory that may be shared, under the names that sanitize.h gives them: each
 * accesses its bytes as the program's own code would, at the place of the call. */
#include "sanitize/access.h"

#include <stdint.h>
#include <string.h>

void *mer_san_memcpy(void *to, const void *from, size_t n);
void *mer_san_memmove(void *to, const void *from, size_t n);
void *mer_san_memset(void *to, int c, size_t n);
int mer_san_memcmp(const void *one, const void *two, size_t n);
size_t mer_san_strlen(const char *s);
char *mer_san_strcpy(char *to, const char *from);
char *mer_san_strncpy(char *to, const char *from, size_t n);
char *mer_san_strcat(char *to, const char *from);
int mer_san_strcmp(const char *one, const char *two);
int mer_san_strncmp(const char *one, const char *two, size_t n);

void *mer_san_memcpy(void *to, const void *from, size_t n) {
    mer_sanitize_read(from, n, MER_CALLER);
    mer_sanitize_write(to, n, MER_CALLER);
    return memcpy(to, from, n);
}

void *mer_san_memmove(void *to, const void *from, size_t n) {
    mer_sanitize_read(from, n, MER_CALLER);
    mer_sanitize_write(to, n, MER_CALLER);
    return memmove(to, from, n);
}

void *mer_san_memset(void *to, int c, size_t n) {
    mer_sanitize_write(to, n, MER_CALLER);
    return memset(to, c, n);
}

int mer_san_memcmp(const void *one, const void *two, size_t n) {
    mer_sanitize_read(one, n, MER_CALLER);
    mer_sanitize_read(two, n, MER_CALLER);
    return memcmp(one, two, n);
}

size_t mer_san_strlen(const char *s) {
    size_t n = strlen(s);
    mer_sanitize_read(s, n + 1, MER_CALLER);
    return n;
}

char *mer_san_strcpy(char *to, const char *from) {
    size_t n = strlen(from) + 1;
    mer_sanitize_read(from, n, MER_CALLER);
    mer_sanitize_write(to, n, MER_CALLER);
    return strcpy(to, from);
}

char *mer_san_strncpy(char *to, const char *from, size_t n) {
    size_t reads = strnlen(from, n);
    mer_sanitize_read(from, reads < n ? reads + 1 : n, MER_CALLER);
    mer_sanitize_write(to, n, MER_CALLER);
    char *last = to; /* strncpy, which gcc warns of when it does not end the string */
    for (size_t i = 0; i < n; i++)
        *last++ = i < reads ? from[i] : '\0';
    return to;
}

char *mer_san_strcat(char *to, const char *from) {
    size_t before = strlen(to), n = strlen(from) + 1;
    mer_sanitize_read(to, before + 1, MER_CALLER);
    mer_sanitize_read(from, n, MER_CALLER);
    mer_sanitize_write(to + before, n, MER_CALLER);
    memmove(to + before, from, n);
    return to;
}

/* Returns how many bytes of two strings are compared. */
static size_t compared(const char *one, const char *two, size_t most) {
    size_t n = 0;
    while (n < most && one[n] == two[n] && one[n])
        n++;
    return n < most ? n + 1 : most;
}

int mer_san_strcmp(const char *one, const char *two) {
    size_t n = compared(one, two, SIZE_MAX);
    mer_sanitize_read(one, n, MER_CALLER);
    mer_sanitize_read(two, n, MER_CALLER);
    return strcmp(one, two);
}

int mer_san_strncmp(const char *one, const char *two, size_t most) {
    size_t n = compared(one, two, most);
    mer_sanitize_read(one, n, MER_CALLER);
    mer_sanitize_read(two, n, MER_CALLER);
    return strncmp(one, two, most);
}
