/* Loops over private memory only. This file is compiled twice, by the C compiler alone with PREFIX gcc_ and
 * through `meridian cc` with PREFIX our_. Both objects are linked into upc/private.upc, which runs the two
 * versions of each loop in turn over the same data. */
#include <stddef.h>
#include <string.h>

#include "private.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(name) PASTE(PREFIX, name)

void NAME(stream)(double *a, const double *b, const double *c, double s, long n) {
    for (long i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

void NAME(dgemm)(double *c, const double *a, const double *b, long n) {
    for (long i = 0; i < n; i++)
        for (long l = 0; l < n; l++) {
            double s = a[i * n + l];
            for (long j = 0; j < n; j++)
                c[i * n + j] += s * b[l * n + j];
        }
}

long NAME(chase)(const struct private_node *p) {
    long sum = 0;
    while (p) {
        sum += p->value;
        p = p->next;
    }
    return sum;
}

void NAME(stencil)(double *restrict to, const double *restrict from, long rows, long columns) {
    for (long i = 1; i < rows - 1; i++)
        for (long j = 1; j < columns - 1; j++) {
            const double *at = from + i * columns + j;
            to[i * columns + j] = 0.25 * (at[-1] + at[1] + at[-columns] + at[columns]);
        }
}

void NAME(histogram)(unsigned *bins, const unsigned char *data, long n) {
    for (long i = 0; i < n; i++)
        bins[data[i]]++;
}

/* Counts words, adds their lengths, and reverses the text in place: calls and branches, byte by byte. */
long NAME(strings)(char *text) {
    long words = 0, length = 0;
    int inside = 0;
    for (char *at = text; *at; at++) {
        int letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        words += letter && !inside;
        inside = letter;
    }
    for (char *word = text; word && *word; word = strchr(word + 1, ' '))
        length += (long)strcspn(word + 1, " ");
    size_t n = strlen(text);
    for (size_t i = 0; i < n / 2; i++) {
        char other = text[i];
        text[i] = text[n - 1 - i];
        text[n - 1 - i] = other;
    }
    return words + length;
}

/* Counts each element's steps to 1: a loop of integer arithmetic and unpredictable branches. */
long NAME(collatz)(unsigned from, unsigned to) {
    long steps = 0;
    for (unsigned i = from; i < to; i++)
        for (unsigned long n = i; n > 1; steps++)
            n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}
