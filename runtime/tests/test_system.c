/* The sizes of caches from the kernel (base/system.h), read from directories like the kernel's. */
#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/test_system.XXXXXX";
static int failures;

static void write_file(int index, const char *file, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/index%d", directory, index);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/index%d/%s", directory, index, file);
    FILE *to = fopen(path, "w");
    if (!to || fputs(text, to) < 0 || fclose(to) != 0) {
        perror(path);
        exit(2);
    }
}

static void cache(int index, const char *level, const char *type, const char *size) {
    write_file(index, "level", level);
    write_file(index, "type", type);
    if (size)
        write_file(index, "size", size);
}

static void expect(int level, long bytes) {
    long is = mer_cache_size(directory, level);
    if (is == bytes)
        return;
    printf("the cache of level %d has %ld bytes, not %ld\n", level, is, bytes);
    failures++;
}

static void clear(int caches) {
    static const char *const files[] = {"level", "type", "size"};
    char path[128];
    for (int i = 0; i < caches; i++) {
        for (int f = 0; f < 3; f++) {
            snprintf(path, sizeof path, "%s/index%d/%s", directory, i, files[f]);
            unlink(path);
        }
        snprintf(path, sizeof path, "%s/index%d", directory, i);
        rmdir(path);
    }
    rmdir(directory);
}

int main(void) {
    if (!mkdtemp(directory))
        return 2;
    expect(1, 0); /* there is nothing */
    cache(0, "1\n", "Instruction\n", "64K\n");
    cache(1, "1\n", "Data\n", "48K\n");
    cache(2, "2\n", "Unified\n", "1024K\n");
    cache(3, "3\n", "Unified\n", "32M\n");
    cache(4, "4\n", "Unified\n", NULL);
    expect(1, 48L << 10);
    expect(2, 1L << 20);
    expect(3, 32L << 20);
    expect(4, 0); /* no size is given */
    expect(5, 0);
    clear(5);
    return failures != 0;
}
