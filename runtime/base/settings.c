/* Settings read from the environment by the table in settings.h. */
#include "base/settings.h"

#include "base/fatal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    const char *name;
    long initial, least, most;
    const char *meaning;
};

static const struct row rows[MER_SETTING_COUNT] = {
#define ROW(name, initial, least, most, meaning) {"MERIDIAN_" #name, initial, least, most, meaning},
    MER_SETTINGS(ROW)
#undef ROW
};

long mer_setting_value[MER_SETTING_COUNT] = {
#define INITIAL(name, initial, ...) initial,
    MER_SETTINGS(INITIAL)
#undef INITIAL
};

void mer_settings_read(void) {
    for (int i = 0; i < MER_SETTING_COUNT; i++) {
        const char *text = getenv(rows[i].name);
        if (!text || !*text)
            continue;
        char *end;
        errno = 0;
        long value = strtol(text, &end, 10);
        if (errno || *end || value < rows[i].least || value > rows[i].most)
            mer_fatal_job("%s is `%s', but has to be a whole number from %ld to %ld (%s)", rows[i].name, text,
                          rows[i].least, rows[i].most, rows[i].meaning);
        mer_setting_value[i] = value;
    }
}

long mer_setting_early_silence(void) {
    const struct row *row = &rows[MER_SETTING_SILENCE];
    const char *text = getenv(row->name);
    long value = text ? strtol(text, NULL, 10) : row->initial;
    return value >= row->least && value <= row->most ? value : row->initial;
}

void mer_settings_print(void) {
    for (int i = 0; i < MER_SETTING_COUNT; i++)
        fprintf(stderr, "%-24s %10ld   %s (default %ld)\n", rows[i].name, mer_setting_value[i],
                rows[i].meaning, rows[i].initial);
}
