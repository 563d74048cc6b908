/* Hints of upc_all_fopen and upc_all_fcntl (UPC 7.8.3.1).  Hints about collective buffering on other nodes
 * and about the striping of parallel file systems have nothing to act on in a host's own files: they are
 * kept, so that UPC_GET_HINTS returns them, and have no effect. */
#include "dialect/upc/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static const char *const known[] = {
    "access_style", "collective_buffering", "cb_buffer_size",  "cb_nodes",      "file_perm", "io_node_list",
    "nb_proc",      "striping_factor",      "start_io_device", "striping_unit",
};

static bool is_known(const char *key) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i], key))
            return true;
    return false;
}

static const char *find(const struct mer_io_hints *hints, const char *key) {
    for (size_t i = 0; i < hints->count; i++)
        if (!strcmp(hints->items[i].key, key))
            return hints->items[i].value;
    return NULL;
}

int mer_io_hint_set(struct mer_io_hints *hints, const struct upc_hint *hint) {
    if (!hint || !hint->key || !hint->value)
        return EINVAL;
    if (!is_known(hint->key))
        return 0;
    char *value = strdup(hint->value);
    if (!value)
        return ENOMEM;
    for (size_t i = 0; i < hints->count; i++)
        if (!strcmp(hints->items[i].key, hint->key)) {
            free((char *)hints->items[i].value);
            hints->items[i].value = value;
            return 0;
        }
    struct upc_hint *items = realloc(hints->items, (hints->count + 1) * sizeof *items);
    char *key = items ? strdup(hint->key) : NULL;
    if (items)
        hints->items = items;
    if (!key) {
        free(value);
        return ENOMEM;
    }
    items[hints->count++] = (struct upc_hint){key, value};
    return 0;
}

void mer_io_hints_free(struct mer_io_hints *hints) {
    for (size_t i = 0; i < hints->count; i++) {
        free((char *)hints->items[i].key);
        free((char *)hints->items[i].value);
    }
    free(hints->items);
    *hints = (struct mer_io_hints){0};
}

/* Returns the number that the whole text is, if it lies between least and most; else `otherwise'. */
static unsigned long number(const char *text, int base, unsigned long least, unsigned long most,
                            unsigned long otherwise) {
    if (!text || *text < '0' || *text > '9')
        return otherwise;
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, base);
    return errno || *end || value < least || value > most ? otherwise : value;
}

unsigned mer_io_hint_permissions(const struct mer_io_hints *hints) {
    return (unsigned)number(find(hints, "file_perm"), 8, 0, 07777, 0666);
}

size_t mer_io_hint_buffer(const struct mer_io_hints *hints) {
    return number(find(hints, "cb_buffer_size"), 10, 4096, 64UL << 20, 256UL << 10);
}

void mer_io_hint_advise(const struct mer_io_hints *hints, int fd) {
    const char *style = find(hints, "access_style");
    if (!style)
        return;
    if (strstr(style, "sequential"))
        posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    else if (strstr(style, "random"))
        posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
    if (strstr(style, "read_once"))
        posix_fadvise(fd, 0, 0, POSIX_FADV_NOREUSE);
}
