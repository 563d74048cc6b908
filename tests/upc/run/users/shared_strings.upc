// Strings in shared memory: a table of names that their owners allocate, copied and compared character by
// character and by the library, joined into one text.
//: clause 6.5.1.1 p8
#include <ctype.h>
#include <string.h>
#include "../../check.h"

typedef shared[] char *string;
shared string names[3 * THREADS];
string shared text;
shared[] char greeting[16];
shared const char *const not_here = NULL;

static size_t length(shared[] const char *s) {
    shared[] const char *end = s;
    while (*end)
        ++end;
    return end - s;
}

static string copy(const char *from) {
    string to = upc_alloc(strlen(from) + 1), at = to;
    while ((*at++ = *from++))
        ;
    return to;
}

static int compare(shared[] const char *a, shared[] const char *b) {
    for (; *a && *a == *b; a++, b++)
        ;
    return (unsigned char)*a - (unsigned char)*b;
}

static void upper(string s) {
    for (size_t i = 0; s[i] != '\0'; i++)
        s[i] = toupper(s[i]);
}

int main(void) {
    char name[32], want[400] = "", got[400];
    upc_forall (int i = 0; i < 3 * THREADS; i++; &names[i]) {
        snprintf(name, sizeof name, "name%d-%.*s", i, i % 4, "abcd");
        names[i] = copy(name);
        if (i % 2)
            upper(names[i]);
    }
    if (MYTHREAD == 0)
        upc_memput(greeting, "hello, threads", 15);
    CHECK(!not_here);
    upc_barrier;
    for (int i = 0; i < 3 * THREADS; i++) {
        snprintf(name, sizeof name, "name%d-%.*s", i, i % 4, "abcd");
        if (i % 2)
            for (char *c = name; *c; c++)
                *c = toupper((unsigned char)*c);
        CHECK_EQ(length(names[i]), strlen(name));
        upc_memget(got, names[i], length(names[i]) + 1);
        CHECK(strcmp(got, name) == 0);
        CHECK_EQ(upc_threadof(names[i]), i % THREADS);
        strcat(strcat(want, name), ";");
        CHECK((compare(names[i], names[0]) == 0) == (i == 0));
    }
    CHECK_EQ(length(greeting), 14);
    CHECK_EQ(greeting[7], 't');
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        size_t bytes = 1;
        for (int i = 0; i < 3 * THREADS; i++)
            bytes += length(names[i]) + 1;
        text = upc_alloc(bytes);
        string at = text;
        for (int i = 0; i < 3 * THREADS; i++) {
            size_t n = length(names[i]);
            upc_memcpy(at, names[i], n);
            at += n;
            *at++ = ';';
        }
        *at = 0;
    }
    upc_barrier;
    CHECK_EQ(length(text), strlen(want));
    for (size_t i = 0; i <= strlen(want); i++)
        CHECK_EQ(text[i], want[i]);
    upc_barrier;
    upc_forall (int i = 0; i < 3 * THREADS; i++; &names[i])
        upc_free(names[i]);
    if (MYTHREAD == 0)
        upc_free(text);
    return 0;
}
