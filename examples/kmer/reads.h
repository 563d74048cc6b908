/* kmer, part: the input.  Each file is read by one thread into its shared memory, and the reads in all files
 * are shared out by bytes: a thread copies its part out of whichever threads' memory holds it. */
#ifndef KMER_READS_H
#define KMER_READS_H

#include "base.h"
#include <errno.h>
#include <fcntl.h>

#define MAX_FILES 64
#define WINDOW (1 << 18) /* bytes within which a read must begin, when shares are cut */

struct text {
    shared[] char *data;
    size_t size;
};
static shared[] struct text texts[MAX_FILES]; /* the read files, then the reference */

/* Opens a file, through gzip if it is compressed. */
static FILE *open_text(const char *name, bool *piped) {
    unsigned char magic[2] = {0};
    int descriptor = open(name, O_RDONLY);
    if (descriptor < 0 || pread(descriptor, magic, 2, 0) < 0)
        fail("cannot read %s: %s", name, strerror(errno));
    *piped = magic[0] == 0x1f && magic[1] == 0x8b;
    if (!*piped)
        return fdopen(descriptor, "r");
    char command[64];
    snprintf(command, sizeof command, "gzip -dc < /proc/self/fd/%d", descriptor);
    FILE *pipe = popen(command, "r");
    close(descriptor);
    return pipe;
}

static struct text read_text(const char *name) {
    bool piped;
    FILE *file = open_text(name, &piped);
    if (!file)
        fail("cannot read %s: %s", name, strerror(errno));
    size_t size = 0, capacity = 1 << 20;
    char *bytes = need(malloc(capacity));
    for (size_t got; (got = fread(bytes + size, 1, capacity - size, file)) > 0;)
        if ((size += got) == capacity)
            bytes = need(realloc(bytes, capacity *= 2));
    if (ferror(file) || (piped ? pclose(file) != 0 : fclose(file) != 0))
        fail("cannot read %s to its end", name);
    if (size == 0)
        fail("%s is empty", name);
    struct text text = {(shared[] char *)upc_alloc(size), size};
    if (!text.data)
        fail("no shared memory for %s (%zu bytes)", name, size);
    upc_memput(text.data, bytes, size);
    free(bytes);
    return text;
}

/* ---- shares of the reads ------------------------------------------------------------------------------- */

/* A thread's share, one record after the other, in private memory. */
static char *share, *share_end;

/* Returns the first record at or after `at`. A record is a line that begins with @, the bases, a line that
 * begins with +, the qualities. Qualities may begin with @ too, but then there is no + two lines later. */
static size_t record_start(struct text text, size_t at, const char *name) {
    if (at == 0 || at >= text.size)
        return at < text.size ? at : text.size;
    static char window[WINDOW];
    size_t from = at - 1, length = text.size - from < WINDOW ? text.size - from : WINDOW;
    upc_memget(window, text.data + from, length);
    char *end = window + length;
    for (char *line = window; (line = memchr(line, '\n', end - line)) && ++line < end;) {
        char *second = memchr(line, '\n', end - line);
        char *third = second ? memchr(second + 1, '\n', end - second - 1) : NULL;
        if (*line == '@' && third && third + 1 < end && third[1] == '+')
            return from + (line - window);
    }
    if (from + length < text.size)
        fail("%s: no read begins between bytes %zu and %zu", name, at, from + length);
    return text.size;
}

/* Copies the records that begin in this thread's part of all the bytes of the read files. */
static void take_share(int files, char **name) {
    size_t total = 0, before = 0, used = 0, capacity = 0;
    for (int i = 0; i < files; i++)
        total += texts[i].size;
    size_t low = (double)total / THREADS * MYTHREAD, high = (double)total / THREADS * (MYTHREAD + 1);
    if (MYTHREAD == THREADS - 1)
        high = total;
    for (int i = 0; i < files; before += texts[i++].size) {
        struct text text = texts[i];
        if (high <= before || low >= before + text.size)
            continue;
        size_t first = record_start(text, low > before ? low - before : 0, name[i]);
        size_t last = record_start(text, high - before, name[i]);
        if (capacity < used + (last - first) + 1)
            share = need(realloc(share, capacity = used + (last - first) + 1));
        upc_memget(share + used, text.data + first, last - first);
        used += last - first;
        if (used > 0 && share[used - 1] != '\n')
            share[used++] = '\n';
    }
    share_end = share + used;
}

/* A thread's position in its share: the next record, and the bases of this one. */
static struct {
    char *next;
    const unsigned char *bases, *qualities;
    size_t length, at;
    kmer_t forward, backward;
    int run; /* good bases up to here */
} scan;
static uint64_t reads_seen, bases_seen, kmers_seen;

/* Steps to the next record. Returns false at the end of the share. */
static bool next_record(void) {
    if (scan.next == share_end)
        return false;
    char *line[5] = {scan.next};
    for (int i = 0; i < 4; i++) {
        char *end = line[i] < share_end ? memchr(line[i], '\n', share_end - line[i]) : NULL;
        if (!end)
            fail("the reads end inside of a record");
        line[i + 1] = end + 1;
    }
    size_t length = line[2] - line[1] - 1, qualities = line[4] - line[3] - 1;
    if (*line[0] != '@' || *line[2] != '+' || length != qualities)
        fail("not a read in FASTQ format: %.*s", (int)(line[1] - line[0] - 1), line[0]);
    scan.next = line[4];
    scan.bases = (unsigned char *)line[1];
    scan.qualities = (unsigned char *)line[3];
    scan.length = length;
    scan.at = scan.run = 0;
    reads_seen++;
    bases_seen += length;
    return true;
}

#endif
