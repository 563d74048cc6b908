/* Settings read from the environment by the table in settings.h. */
#include "base/settings.h"

#include "base/fatal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { INTEGER, SIZE, STRING };

/* The unit of the table's numbers, by kind. */
#define UNIT_INTEGER 1L
#define UNIT_SIZE (1L << 20)
#define UNIT_STRING 0L

enum category {
#define ID(name, text) name,
    MER_SETTING_CATEGORIES(ID)
#undef ID
};

static const char *const categories[] = {
#define TEXT(name, text) [name] = text,
    MER_SETTING_CATEGORIES(TEXT)
#undef TEXT
};

struct row {
    const char *name, *former;
    enum kind kind;
    enum category category;
    long initial, least, most; /* sizes in bytes */
    const char *help;
};

static const struct row rows[MER_SETTING_COUNT] = {
#define ROW(name, kind, initial, least, most, category, former, help)                                        \
    {"MERIDIAN_" #name,  former, kind, category, (initial)*UNIT_##kind, (least)*UNIT_##kind,                 \
     (most)*UNIT_##kind, help},
    MER_SETTINGS(ROW)
#undef ROW
};

long mer_setting_value[MER_SETTING_COUNT] = {
#define INITIAL(name, kind, initial, ...) (initial) * UNIT_##kind,
    MER_SETTINGS(INITIAL)
#undef INITIAL
};

static const char *former_text(const struct row *row) {
    char name[64];
    snprintf(name, sizeof name, "MERIDIAN_%s", row->former);
    return getenv(name);
}

/* Returns the variable's text, under its name or the former one; null if there is none or it is empty. */
static const char *text_of(const struct row *row) {
    const char *text = getenv(row->name);
    if ((!text || !*text) && *row->former)
        text = former_text(row);
    return text && *text ? text : NULL;
}

/* Parses a number or a size.  Returns false if the text is none, or out of the row's range. */
static bool parse(const struct row *row, const char *text, long *value) {
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10), unit = row->kind == SIZE ? UNIT_SIZE : 1;
    if (errno || end == text)
        return false;
    if (row->kind == SIZE && *end && strchr("KMG", *end)) {
        unit = *end == 'K' ? 1L << 10 : *end == 'M' ? 1L << 20 : 1L << 30;
        end++;
    }
    long result;
    if (*end || __builtin_mul_overflow(number, unit, &result) || result < row->least || result > row->most)
        return false;
    *value = result;
    return true;
}

static _Noreturn void refuse(const struct row *row, const char *text) {
    if (row->kind == SIZE)
        mer_fatal_job("%s is `%s', but has to be from %ldM to %ldM, as a number of megabytes or with K, M or "
                      "G (%s)",
                      row->name, text, row->least / UNIT_SIZE, row->most / UNIT_SIZE, row->help);
    mer_fatal_job("%s is `%s', but has to be a whole number from %ld to %ld (%s)", row->name, text,
                  row->least, row->most, row->help);
}

void mer_settings_read(void) {
    for (int i = 0; i < MER_SETTING_COUNT; i++) {
        const char *text = rows[i].kind == STRING ? NULL : text_of(&rows[i]);
        if (text && !parse(&rows[i], text, &mer_setting_value[i]))
            refuse(&rows[i], text);
    }
}

long mer_setting_early(enum mer_setting setting) {
    const struct row *row = &rows[setting];
    const char *text = text_of(row);
    long value;
    return text && parse(row, text, &value) ? value : row->initial;
}

const char *mer_setting_text(enum mer_setting setting) { return text_of(&rows[setting]); }

static void print_row(const struct row *row, long value) {
    if (row->kind == STRING) {
        const char *text = text_of(row);
        fprintf(stderr, "  %-24s %10s   %s\n", row->name, text ? text : "-", row->help);
    } else if (row->kind == SIZE) {
        char is[32], was[32];
        fprintf(stderr, "  %-24s %10s   %s (default %s)\n", row->name,
                mer_bytes_text(is, (unsigned long long)value), row->help,
                mer_bytes_text(was, (unsigned long long)row->initial));
    } else {
        fprintf(stderr, "  %-24s %10ld   %s (default %ld)\n", row->name, value, row->help, row->initial);
    }
}

void mer_settings_print(void) {
    for (int i = 0; i < MER_SETTING_COUNT; i++) {
        if (i == 0 || rows[i].category != rows[i - 1].category)
            fprintf(stderr, "%s\n", categories[rows[i].category]);
        print_row(&rows[i], mer_setting_value[i]);
    }
}
