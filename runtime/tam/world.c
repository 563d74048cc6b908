/* Access of programs to the outside: arguments, text, files.  Input and output run on processor 0. */
#include "tam/world.h"

#include "base/layout_check.h"
#include "tam/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

MER_LAYOUT_CHECK_FIELDS(struct tam_codeblock, MER_LAYOUT_CODEBLOCK);
MER_LAYOUT_CHECK(struct tam_inlet, MER_LAYOUT_INLET);
MER_LAYOUT_CHECK(struct tam_target, MER_LAYOUT_TARGET);

enum {
#define IO(name, number) name = (number),
    MER_IO(IO)
#undef IO
};

/* ---- characters ---------------------------------------------------------------------------------------- */

static tam_word list_of(const char *bytes, size_t length, tam_word tail) {
    while (length > 0) {
        struct tam_object *cell = tam_cell(2, 0);
        tam_set(cell, 0, (unsigned char)bytes[--length]);
        tam_set(cell, 1, tail);
        tail = tam_object_word(cell, 0);
    }
    return tail;
}

tam_word tam_text_list(unsigned text) {
    return list_of(tam.program->texts[text].bytes, tam.program->texts[text].length, 0);
}

tam_word tam_show_int(int64_t value, tam_word tail) {
    char text[24], *end = text + sizeof text, *at = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    return list_of(at, (size_t)(end - at), tail);
}

/* Writes the fewest digits, 15 to 17, that are read as the same number, with a point or an exponent. */
tam_word tam_show_float(double value, tam_word tail) {
    char text[40];
    if (isnan(value))
        return list_of("nan", 3, tail);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    if (!strpbrk(text, ".en"))
        strcat(text, ".0");
    return list_of(text, strlen(text), tail);
}

int64_t tam_argc(void) { return tam.world.argc - 1; }

tam_word tam_argv(int64_t i, uint32_t site) {
    if (i < 1 || i >= tam.world.argc)
        tam_fail(site, "the program has %d arguments, but argument %lld is asked for", tam.world.argc - 1,
                 (long long)i);
    return list_of(tam.world.argv[i], strlen(tam.world.argv[i]), 0);
}

int64_t tam_processors(void) { return tam.processors; }

int64_t tam_power(int64_t base, int64_t exponent, uint32_t site) {
    uint64_t result = 1, factor = (uint64_t)base;
    if (exponent < 0)
        tam_fail(site, "the exponent of an int is negative, %lld", (long long)exponent);
    for (; exponent > 0; exponent >>= 1, factor *= factor)
        if (exponent & 1)
            result *= factor;
    return (int64_t)result;
}

/* ---- files --------------------------------------------------------------------------------------------- */

static void add_to_name(int c) {
    if (tam.world.name_length + 1 >= tam.world.name_capacity) {
        tam.world.name_capacity = tam.world.name_capacity ? 2 * tam.world.name_capacity : 64;
        tam.world.name = realloc(tam.world.name, tam.world.name_capacity);
        if (!tam.world.name)
            tam_fail(0, "memory is exhausted");
    }
    tam.world.name[tam.world.name_length++] = (char)c;
    tam.world.name[tam.world.name_length] = 0;
}

static FILE *file_of(int64_t handle, uint32_t site) {
    if (handle >= 0 && handle < 3)
        return handle == 0 ? stdin : handle == 1 ? stdout : stderr;
    if (handle < 3 || handle >= tam.world.file_count || !tam.world.files[handle])
        tam_fail(site, "%lld is no open file", (long long)handle);
    return tam.world.files[handle];
}

static int64_t open_file(int64_t how) {
    FILE *file = fopen(tam.world.name ? tam.world.name : "", how == 0 ? "r" : how == 1 ? "w" : "a");
    tam.world.name_length = 0;
    if (tam.world.name)
        tam.world.name[0] = 0;
    if (!file)
        return -1;
    int64_t handle = 3;
    while (handle < tam.world.file_count && tam.world.files[handle])
        handle++;
    if (handle >= tam.world.file_count) {
        FILE **more = realloc(tam.world.files, (size_t)(handle + 16) * sizeof *more);
        if (!more)
            tam_fail(0, "memory is exhausted");
        tam.world.files = more;
        for (int64_t i = tam.world.file_count; i < handle + 16; i++)
            tam.world.files[i] = NULL;
        tam.world.file_count = handle + 16;
    }
    tam.world.files[handle] = file;
    return handle;
}

#define SHOWN_AFTER 50 /* milliseconds that output waits at most while the program computes */

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

void tam_world_show(void) {
    if (!tam.world.unseen)
        return;
    int64_t now = milliseconds();
    if (now - tam.world.shown < SHOWN_AFTER)
        return;
    tam.world.shown = now;
    tam.world.unseen = false;
    fflush(stdout);
}

int64_t tam_io(int operation, int64_t a, int64_t b, uint32_t site) {
    switch (operation) {
    case PUT:
        /* This is the only POSIX thread that uses the files. */
        if (putc_unlocked((int)b, file_of(a, site)) == EOF)
            tam_fail(site, "cannot write to the file");
        tam.world.unseen = true;
        if ((int)b == '\n')
            tam_world_show();
        return 0;
    case GET:
        if (a == 0)
            fflush(stdout);
        return getc(file_of(a, site));
    case PEEK: {
        FILE *file = file_of(a, site);
        int c = getc(file);
        return c == EOF ? -1 : ungetc(c, file);
    }
    case NAME:
        add_to_name((int)a);
        return 0;
    case OPEN:
        return open_file(a);
    case CLOSE: {
        FILE *file = file_of(a, site);
        if (a > 2)
            tam.world.files[a] = NULL;
        if ((a > 2 ? fclose(file) : fflush(file)) != 0)
            tam_fail(site, "cannot write to the file");
        return 0;
    }
    default:
        tam_fail_stop((int)a);
    }
}
