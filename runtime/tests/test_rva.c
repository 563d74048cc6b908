/* Relative virtual addresses (base/rva.h): a named address is found again, in the program and in libraries,
 * and addresses that are no code or no constant of an image of this process are refused. */
#include "base/rva.h"

#include "base/fatal.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static jmp_buf refused;

/* In place of the runtime's. */
void mer_fatal(const char *format, ...) {
    (void)format;
    longjmp(refused, 1);
}

static const char constant[] = "a constant";
static char data[100];

static void function(void) {}

static mer_rva_code *library_function(const char *library, const char *name, void **handle) {
    mer_rva_code *found;
    *handle = dlopen(library, RTLD_NOW);
    CHECK(*handle);
    *(void **)&found = dlsym(*handle, name);
    CHECK(found);
    return found;
}

static void is_refused(mer_rva rva) {
    if (setjmp(refused) == 0) {
        mer_rva_to_code(rva, 3);
        fprintf(stderr, "0x%llx is taken for code\n", (unsigned long long)rva);
        exit(1);
    }
}

int main(void) {
    void *handle;
    char automatic = 0;
    mer_rva_start();
    uint64_t end = mer_rva_own.code + mer_rva_own.code_size;
    CHECK(mer_rva_own.begin && mer_rva_own.size && mer_rva_own.code_size);
    CHECK(mer_rva_identity() && mer_rva_identity() == mer_rva_identity());

    mer_rva own = mer_rva_of_code(function);
    CHECK(own && own >> 32 == 0 && mer_rva_to_code(own, 0) == function);
    CHECK(mer_rva_text(mer_rva_of(constant)) == constant && mer_rva_of(constant) >> 32 == 0);
    CHECK(strcmp(mer_where_text(mer_rva_of(constant)), constant) == 0);

    mer_rva_code *compare = library_function("libc.so.6", "strverscmp", &handle);
    mer_rva theirs = mer_rva_of_code(compare);
    CHECK(theirs >> 32 && mer_rva_to_code(theirs, 0) == compare);
    const char *foreign = strerror(0); /* of the C library's constants */
    CHECK(mer_rva_text(mer_rva_of(foreign)) == foreign);

    is_refused(0);
    is_refused(mer_rva_own.code - 1);
    is_refused(end);
    is_refused(mer_rva_of(data));
    is_refused(UINT32_MAX);
    is_refused(UINT64_MAX);
    is_refused(own | (mer_rva)12345 << 32); /* of an image that is not there */
    is_refused((theirs >> 32 << 32) | (mer_rva)UINT32_MAX);
    CHECK(mer_rva_of(NULL) == 0 && mer_rva_of(&automatic) == 0);
    CHECK(!mer_rva_text(0) && !mer_rva_text(UINT32_MAX) && !mer_rva_text((mer_rva)12345 << 32 | 100));
    if (setjmp(refused) == 0) {
        mer_rva_of_code((mer_rva_code *)(uintptr_t)&automatic);
        CHECK(!"a function on the stack is refused");
    }

    /* A library that is gone. */
    mer_rva_code *sine = library_function("libm.so.6", "sin", &handle);
    mer_rva gone = mer_rva_of_code(sine);
    CHECK(mer_rva_to_code(gone, 0) == sine);
    if (dlclose(handle) == 0 && !dlopen("libm.so.6", RTLD_NOW | RTLD_NOLOAD))
        is_refused(gone);
    return 0;
}
