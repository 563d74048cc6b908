/* kmer, part: the check of contigs against the known genome. Every thread has a private copy of the genome
 * and an index of its k-mers; a block-cyclic shared array marks the bases that contigs cover. */
#ifndef KMER_GENOME_H
#define KMER_GENOME_H

#include "reads.h"
#include <ctype.h>

#define GENOME_BLOCK 1024 /* bases of the genome in a block */

static char *genome; /* the reference's bases in capitals, with an N between its sequences */
static size_t genome_length, genome_bases;
static shared[GENOME_BLOCK] unsigned char *hit; /* hit[i]: a contig holds the K bases from i on */
static size_t *genome_index, index_mask;        /* positions + 1 by hash of the canonical k-mer there */

static void read_reference(struct text text, const char *name) {
    char *raw = need(malloc(text.size));
    upc_memget(raw, text.data, text.size);
    if (raw[0] != '>')
        fail_all("%s is not in FASTA format: it must begin with >", name);
    genome = need(malloc(text.size + 1));
    for (char *at = raw, *end = raw + text.size; at < end; at++) {
        if (*at == '>') {
            at = memchr(at, '\n', end - at);
            if (!at)
                break;
            genome[genome_length++] = 'N';
        } else if (isalpha((unsigned char)*at)) {
            genome[genome_length++] = toupper((unsigned char)*at);
            genome_bases++;
        } else if (!isspace((unsigned char)*at)) {
            fail_all("%s: byte %zu is no base", name, (size_t)(at - raw));
        }
    }
    free(raw);
    if (genome_bases < (size_t)K)
        fail_all("%s holds only %zu bases, fewer than a k-mer has", name, genome_bases);
}

static void index_genome(void) {
    for (index_mask = 1024; index_mask < 2 * genome_length; index_mask *= 2)
        ;
    genome_index = need(calloc(index_mask--, sizeof *genome_index));
    kmer_t x = 0;
    int run = 0;
    for (size_t i = 0; i < genome_length; i++) {
        int code = code_of[(unsigned char)genome[i]];
        run = code < 0 ? 0 : run + 1;
        x = append(x, code & 3);
        if (run < K)
            continue;
        uint64_t slot = hash(canonical(x)) & index_mask;
        while (genome_index[slot])
            slot = (slot + 1) & index_mask;
        genome_index[slot] = i + 1 - K + 1;
    }
}

static kmer_t kmer_at(const char *text) {
    kmer_t x = 0;
    for (int i = 0; i < K; i++)
        x = append(x, code_of[(unsigned char)text[i]] & 3);
    return x;
}

/* Returns true if the genome has the whole contig, forwards from `at` or backwards up to `at` + K. */
static bool whole_at(const char *contig, size_t length, size_t at, bool forwards) {
    if (forwards)
        return at + length <= genome_length && memcmp(genome + at, contig, length) == 0;
    if (at + K < length)
        return false;
    const char *last = genome + at + K - 1;
    for (size_t i = 0; i < length; i++)
        if (code_of[(unsigned char)contig[i]] != 3 - code_of[(unsigned char)*(last - i)])
            return false;
    return true;
}

/* Marks the places of the contig's k-mers in the genome, on either strand. Returns true if the genome
 * contains all of the contig in one piece. */
static bool check_contig(const char *contig, size_t length) {
    bool whole = false;
    for (size_t i = 0; i + K <= length; i++) {
        kmer_t x = kmer_at(contig + i), c = canonical(x);
        for (uint64_t slot = hash(c) & index_mask; genome_index[slot]; slot = (slot + 1) & index_mask) {
            size_t at = genome_index[slot] - 1;
            kmer_t there = kmer_at(genome + at);
            if (canonical(there) != c)
                continue;
            hit[at] = 1;
            if (i == 0 && !whole)
                whole = whole_at(contig, length, at, there == x);
        }
    }
    return whole;
}

/* Returns the number of bases of the genome in a hit, among those in blocks with affinity to this thread. */
static uint64_t covered_here(void) {
    uint64_t covered = 0;
    size_t blocks = (genome_length + GENOME_BLOCK - 1) / GENOME_BLOCK;
    upc_forall(size_t b = 0; b < blocks; b++; &hit[b * GENOME_BLOCK]) {
        size_t from = b * GENOME_BLOCK,
               to = from + GENOME_BLOCK < genome_length ? from + GENOME_BLOCK : genome_length;
        size_t reach = 0; /* where the last hit ends */
        for (size_t i = from > (size_t)K ? from - K : 0; i < to; i++) {
            if (hit[i])
                reach = i + K;
            covered += i >= from && i < reach;
        }
    }
    return covered;
}

#endif
