/* A directory of its own for a program that tests files: made by thread 0 under $TMPDIR or /tmp, known to all
 * threads, removed with its files by leave(). */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"

static shared[] char directory_for_all[256];
static char directory[256];

/* Collective. */
static void enter(void) {
    if (MYTHREAD == 0) {
        const char *where = getenv("TMPDIR");
        snprintf(directory, sizeof directory - 32, "%s/upc-io-XXXXXX", where ? where : "/tmp");
        CHECK(mkdtemp(directory) != NULL);
        upc_memput(directory_for_all, directory, sizeof directory);
    }
    upc_barrier;
    upc_memget(directory, directory_for_all, sizeof directory);
}

/* Returns the path of a file in the directory, in one of four buffers in turn. */
static const char *path(const char *name) {
    static char paths[4][400];
    static int turn;
    char *here = paths[turn++ % 4];
    snprintf(here, sizeof paths[0], "%s/%s", directory, name);
    return here;
}

/* Collective. */
static void leave(void) {
    upc_barrier;
    if (MYTHREAD == 0) {
        DIR *all = opendir(directory);
        for (struct dirent *entry = all ? readdir(all) : NULL; entry; entry = readdir(all))
            if (entry->d_name[0] != '.')
                CHECK(unlink(path(entry->d_name)) == 0);
        closedir(all);
        CHECK(rmdir(directory) == 0);
    }
}

/* Returns the size of a closed file by POSIX, and checks that byte i is wanted(i) for all i. */
static inline long posix_size(const char *name) {
    struct stat about;
    return stat(path(name), &about) ? -1 : (long)about.st_size;
}

static inline int posix_holds(const char *name, int (*wanted)(long)) {
    FILE *file = fopen(path(name), "r");
    if (!file)
        return 0;
    int byte, good = 1;
    for (long i = 0; good && (byte = getc(file)) != EOF; i++)
        good = byte == (wanted(i) & 0xff);
    fclose(file);
    return good;
}

#endif
