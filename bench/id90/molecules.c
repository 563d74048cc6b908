/* Paraffins as molecules in C: all isomers are built as records in lists, kept until the end, and counted. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 20 /* carbons of a radical */

/* A radical, or a molecule of two to four radicals; `next' links those of a list. */
struct radical {
    const struct radical *part[4], *next;
};

static const struct radical *of_size[MOST + 1]; /* lists; size 0: hydrogen */
static const struct radical *molecules[2 * MOST + 2][2];

static struct radical *make(const struct radical *a, const struct radical *b, const struct radical *c,
                            const struct radical *d, const struct radical *next) {
    struct radical *made = malloc(sizeof *made);
    if (!made)
        exit(1);
    *made = (struct radical){{a, b, c, d}, next};
    return made;
}

static void release(const struct radical *list) {
    while (list) {
        const struct radical *next = list->next;
        free((void *)list);
        list = next;
    }
}

/* Returns the first radical of size j that may follow one of size i: if the sizes are equal, not an earlier
 * one. */
static const struct radical *from(int i, int j, const struct radical *first) {
    return i == j ? first : of_size[j];
}

static const struct radical *radicals(int n) {
    const struct radical *made = NULL;
    for (int i = 0; i <= (n - 1) / 3; i++)
        for (int j = i; j <= (n - 1 - i) / 2; j++)
            for (const struct radical *a = of_size[i]; a; a = a->next)
                for (const struct radical *b = from(i, j, a); b; b = b->next)
                    for (const struct radical *c = from(j, n - 1 - i - j, b); c; c = c->next)
                        made = make(a, b, c, NULL, made);
    return made;
}

static const struct radical *bond_centred(int n) {
    const struct radical *made = NULL;
    if (n % 2 == 0)
        for (const struct radical *a = of_size[n / 2]; a; a = a->next)
            for (const struct radical *b = a; b; b = b->next)
                made = make(a, b, NULL, NULL, made);
    return made;
}

static const struct radical *carbon_centred(int n) {
    const struct radical *made = NULL;
    int m = n - 1, most = m / 2;
    for (int i = 0; i <= m / 4; i++)
        for (int j = i; j <= (m - i) / 3; j++)
            for (int k = m - i - j - most > j ? m - i - j - most : j; k <= (m - i - j) / 2; k++)
                for (const struct radical *a = of_size[i]; a; a = a->next)
                    for (const struct radical *b = from(i, j, a); b; b = b->next)
                        for (const struct radical *c = from(j, k, b); c; c = c->next)
                            for (const struct radical *d = from(k, m - i - j - k, c); d; d = d->next)
                                made = make(a, b, c, d, made);
    return made;
}

static long count(const struct radical *list) {
    long length = 0;
    for (const struct radical *one = list; one; one = one->next)
        length++;
    return length;
}

int main(int argc, char **argv) {
    int limit = argc > 1 ? atoi(argv[1]) : 9;
    if (limit < 1 || limit / 2 > MOST)
        return 2;
    of_size[0] = make(NULL, NULL, NULL, NULL, NULL);
    for (int n = 1; n <= limit / 2; n++)
        of_size[n] = radicals(n);
    for (int n = 1; n <= limit; n++) {
        molecules[n][0] = bond_centred(n);
        molecules[n][1] = carbon_centred(n);
    }
    for (int n = 1; n <= limit; n++)
        printf("%ld:", count(molecules[n][0]) + count(molecules[n][1]));
    puts("Nil");
    for (int n = 1; n <= limit; n++) {
        release(molecules[n][0]);
        release(molecules[n][1]);
    }
    for (int n = 0; n <= limit / 2; n++)
        release(of_size[n]);
    return 0;
}
