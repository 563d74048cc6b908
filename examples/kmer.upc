/* kmer: assembles a genome from sequencing reads, as a distributed hash table in shared memory.
 *
 *     kmer [-k K] [-m MIN] [-q QUALITY] [-o contigs.fa] reads.fq... reference.fa
 *
 * A sequencer reads a genome in pieces of a hundred bases or so, with errors. Every read is cut into all its
 * k-mers (pieces of K bases), and the k-mers are counted. A k-mer that occurs fewer than MIN times is
 * considered an error. Two k-mers that overlap in K-1 bases are neighbours; if a k-mer has exactly one
 * neighbour on a side, and is that neighbour's only one, the genome can only go on there. Walking such
 * unique extensions joins k-mers to contigs, which are then searched in the known genome.
 *
 * It shows
 *   - work shared out by bytes of input, each thread reading its share out of another's memory (upc_memget);
 *   - owner-exchange: a thread never touches a counter it does not own, but posts k-mers in batches to their
 *     owners, who fetch them after a barrier, so that counting runs at the speed of private memory;
 *   - irregular remote reads: the walk follows k-mers from thread to thread through pointers-to-shared;
 *   - a block-cyclic array (the genome) that all threads write and upc_forall sums up.
 *
 * A k-mer and its reverse complement (the same piece read off the other strand) count as one: the smaller of
 * the two, the canonical k-mer.  K is odd, so that none is its own reverse complement.  The results do not
 * depend on the number of threads.  Reading the input is in kmer/reads.h, the check in kmer/genome.h. */
#include "kmer/genome.h"

#define BATCH 16384 /* k-mers a thread posts to another at a time */

static unsigned min_count = 3;
static int min_quality = 0;
static bool show_progress;
static const char *output_name;

/* ---- the table: each thread owns the k-mers that hash to it -------------------------------------------- */

struct entry {
    kmer_t kmer;
    uint32_t count;           /* 0: the slot is free */
    unsigned char extensions; /* bit b: base b may follow; bit 4 + b: base b may precede */
    unsigned char in_contig;
};
struct part {
    shared[] struct entry *slots;
    uint64_t mask; /* slots - 1 */
};
static shared struct part parts[THREADS];
static struct part *part_of; /* a private copy of parts */
static struct entry *table;  /* this thread's part, as private memory */
static uint64_t table_mask, table_used;

static void new_table(uint64_t slots) {
    shared[] struct entry *memory = (shared[] struct entry *)upc_alloc(slots * sizeof(struct entry));
    if (!memory)
        fail("no shared memory for %llu k-mers", (unsigned long long)slots);
    table = (struct entry *)memory;
    memset(table, 0, slots * sizeof(struct entry));
    table_mask = slots - 1;
    parts[MYTHREAD] = (struct part){memory, table_mask};
}

static struct entry *slot_of(kmer_t x) {
    uint64_t i = hash(x) & table_mask;
    while (table[i].count && table[i].kmer != x)
        i = (i + 1) & table_mask;
    return &table[i];
}

static void grow_table(void) {
    struct entry *old = table;
    shared[] struct entry *old_memory = parts[MYTHREAD].slots;
    uint64_t old_slots = table_mask + 1;
    new_table(2 * old_slots);
    for (uint64_t i = 0; i < old_slots; i++)
        if (old[i].count)
            *slot_of(old[i].kmer) = old[i];
    upc_free(old_memory);
}

/* Counts n k-mers that this thread owns; the slots of those to come are fetched ahead. */
static void count(const kmer_t *kmers, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (i + 8 < n)
            __builtin_prefetch(&table[hash(kmers[i + 8]) & table_mask], 1);
        struct entry *entry = slot_of(kmers[i]);
        if (entry->count == 0) {
            if (10 * table_used > 7 * table_mask) {
                grow_table();
                entry = slot_of(kmers[i]);
            }
            table_used++;
            entry->kmer = kmers[i];
        }
        if (entry->count < UINT32_MAX)
            entry->count++;
    }
}

/* ---- counting by exchange ------------------------------------------------------------------------------ */

/* The k-mers that a thread posts to one owner in a round. There are two sets of rows, used in turn:
 * while one is fetched the other is filled, so that a round needs a single barrier. */
struct row {
    uint64_t used;
    int last; /* the poster has nothing more */
    kmer_t kmers[BATCH];
};
static shared[] struct row *shared outbox[THREADS]; /* row of set s for owner t: outbox[…][s * THREADS + t] */
static shared size_t progress[THREADS];

/* Fills the rows until one is full or the share is used up. */
static void post(struct row *rows) {
    for (int t = 0; t < THREADS; t++)
        rows[t].used = rows[t].last = 0;
    do {
        for (; scan.at < scan.length; scan.at++) {
            int code = code_of[scan.bases[scan.at]];
            if (code < 0 || scan.qualities[scan.at] < 33 + min_quality) {
                scan.run = 0;
                continue;
            }
            scan.forward = append(scan.forward, code);
            scan.backward = prepend(scan.backward, 3 - code);
            if (++scan.run < K)
                continue;
            kmer_t x = scan.forward < scan.backward ? scan.forward : scan.backward;
            struct row *row = &rows[owner(hash(x))];
            row->kmers[row->used++] = x;
            kmers_seen++;
            if (row->used == BATCH) {
                scan.at++;
                return;
            }
        }
    } while (next_record());
    for (int t = 0; t < THREADS; t++)
        rows[t].last = 1;
}

static void draw_progress(size_t total) {
    size_t done = 0;
    for (int t = 0; t < THREADS; t++)
        done += progress[t];
    int width = 40, filled = total ? (int)((double)done / total * width) : width;
    static int drawn = -1;
    if (filled == drawn)
        return;
    drawn = filled;
    fprintf(stderr, "\rcounting [%.*s%*s] %3d %%", filled, "########################################",
            width - filled, "", total ? (int)(100.0 * done / total) : 100);
    fflush(stderr);
}

static void count_all(size_t total) {
    shared[] struct row *rows = (shared[] struct row *)upc_alloc(2 * THREADS * sizeof(struct row));
    static kmer_t fetched[BATCH];
    if (!rows)
        fail("no shared memory for the exchange");
    outbox[MYTHREAD] = rows;
    scan.next = share;
    new_table(1 << 16);
    for (int set = 0, done = 0; done < THREADS; set = !set) {
        post((struct row *)rows + set * THREADS);
        progress[MYTHREAD] = scan.next - share;
        upc_barrier;
        done = 0;
        for (int step = 0; step < THREADS; step++) {
            int from = (MYTHREAD + step) % THREADS; /* not all from thread 0 first */
            shared[] struct row *row = &outbox[from][set * THREADS + MYTHREAD];
            size_t n = row->used;
            upc_memget(fetched, row->kmers, n * sizeof(kmer_t));
            count(fetched, n);
            done += row->last;
        }
        if (show_progress && MYTHREAD == 0)
            draw_progress(total);
    }
    upc_barrier;
    if (show_progress && MYTHREAD == 0)
        fputs("\r\033[K", stderr);
    upc_free(rows);
    part_of = need(malloc(THREADS * sizeof *part_of));
    for (int t = 0; t < THREADS; t++)
        part_of[t] = parts[t];
}

/* ---- neighbours ---------------------------------------------------------------------------------------- */

/* Returns the entry of a canonical k-mer that is no error, on any thread; null if there is none. */
static shared[] struct entry *find(kmer_t x) {
    uint64_t h = hash(x);
    struct part part = part_of[owner(h)];
    for (uint64_t i = h & part.mask;; i = (i + 1) & part.mask) {
        shared[] struct entry *entry = &part.slots[i];
        uint32_t count = entry->count;
        if (count == 0)
            return NULL;
        if (entry->kmer == x)
            return count >= min_count ? entry : NULL;
    }
}

static uint64_t find_extensions(void) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i <= table_mask; i++) {
        struct entry *entry = &table[i];
        if (entry->count < min_count)
            continue;
        kept++;
        for (int base = 0; base < 4; base++) {
            if (find(canonical(append(entry->kmer, base))))
                entry->extensions |= 1 << base;
            if (find(canonical(prepend(entry->kmer, base))))
                entry->extensions |= 16 << base;
        }
    }
    upc_barrier;
    return kept;
}

/* A k-mer read in one of its two directions, and the bases that may follow and precede it. */
struct place {
    kmer_t kmer;
    shared[] struct entry *entry;
    unsigned after, before; /* bit b: base b */
};

static unsigned complement_set(unsigned bases) {
    return (bases & 1) << 3 | (bases & 2) << 1 | (bases & 4) >> 1 | (bases & 8) >> 3;
}

static struct place place_of(kmer_t x) {
    kmer_t c = canonical(x);
    struct place place = {x, find(c), 0, 0};
    unsigned extensions = place.entry->extensions;
    place.after = x == c ? extensions & 15 : complement_set(extensions >> 4);
    place.before = x == c ? extensions >> 4 : complement_set(extensions & 15);
    return place;
}

static bool only_one(unsigned bases) { return bases && !(bases & (bases - 1)); }

/* Steps to the place that must follow. Returns false if the genome may go on in several ways, or in none. */
static bool step(struct place *place) {
    if (!only_one(place->after))
        return false;
    struct place next = place_of(append(place->kmer, __builtin_ctz(place->after)));
    if (!only_one(next.before))
        return false;
    *place = next;
    return true;
}

/* Returns true if no place leads uniquely here: a contig begins. */
static bool begins(struct place place) {
    if (!only_one(place.before))
        return true;
    return !only_one(place_of(prepend(place.kmer, __builtin_ctz(place.before))).after);
}

/* ---- contigs ------------------------------------------------------------------------------------------- */

/* The contigs this thread has found: their bases, one after the other, and where each ends. */
static char *bases;
static size_t bases_used, bases_room, *ends, contigs, contigs_room;

static void put_base(int base) {
    if (bases_used == bases_room)
        bases = need(realloc(bases, bases_room = bases_room ? 2 * bases_room : 4096));
    bases[bases_used++] = "ACGT"[base];
}

static void put_kmer(kmer_t x) {
    for (int i = K - 1; i >= 0; i--)
        put_base(x >> 2 * i & 3);
}

static void end_contig(void) {
    if (contigs == contigs_room)
        ends = need(realloc(ends, (contigs_room = contigs_room ? 2 * contigs_room : 256) * sizeof *ends));
    ends[contigs++] = bases_used;
}

static size_t contig_start(size_t i) { return i ? ends[i - 1] : 0; }

/* Walks from the beginning of a contig to its end. The other strand's walk finds the same contig
 * backwards; the one that starts with the smaller k-mer is kept. */
static void walk_from(struct place place) {
    kmer_t first = place.kmer;
    size_t start = bases_used;
    put_kmer(first);
    place.entry->in_contig = 1;
    while (step(&place)) {
        put_base(place.kmer & 3);
        place.entry->in_contig = 1;
    }
    if (reverse_complement(place.kmer) < first)
        bases_used = start;
    else
        end_contig();
}

/* A ring of k-mers has no beginning: it is cut at its smallest k-mer, by the thread that owns that. */
static void walk_ring(kmer_t first) {
    struct place place = place_of(first);
    size_t start = bases_used;
    put_kmer(first);
    while (step(&place) && place.kmer != first) {
        if (canonical(place.kmer) < first) {
            bases_used = start;
            return;
        }
        put_base(place.kmer & 3);
    }
    end_contig();
}

static void find_contigs(void) {
    for (uint64_t i = 0; i <= table_mask; i++) {
        if (table[i].count < min_count)
            continue;
        kmer_t strands[] = {table[i].kmer, reverse_complement(table[i].kmer)};
        for (int s = 0; s < 2; s++) {
            struct place place = place_of(strands[s]);
            if (begins(place))
                walk_from(place);
        }
    }
    upc_barrier; /* all k-mers in contigs with ends are marked */
    for (uint64_t i = 0; i <= table_mask; i++)
        if (table[i].count >= min_count && !table[i].in_contig)
            walk_ring(table[i].kmer);
}

/* ---- output -------------------------------------------------------------------------------------------- */

struct contig {
    char *bases;
    size_t length;
};

static int longest_first(const void *a, const void *b) {
    const struct contig *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? 1 : -1;
    return memcmp(x->bases, y->bases, x->length);
}

/* Thread 0 fetches all contigs and writes them, the longest first. */
static void write_contigs(uint64_t number) {
    static shared struct {
        shared[] char *bases;
        shared[] size_t *ends;
        size_t contigs, size;
    } found[THREADS];
    found[MYTHREAD].contigs = contigs;
    found[MYTHREAD].size = bases_used;
    if (contigs) {
        found[MYTHREAD].bases = (shared[] char *)upc_alloc(bases_used);
        found[MYTHREAD].ends = (shared[] size_t *)upc_alloc(contigs * sizeof *ends);
        upc_memput(found[MYTHREAD].bases, bases, bases_used);
        upc_memput(found[MYTHREAD].ends, ends, contigs * sizeof *ends);
    }
    upc_barrier;
    if (MYTHREAD != 0)
        return;
    struct contig *all = need(malloc((number + 1) * sizeof *all));
    size_t n = 0;
    for (int t = 0; t < THREADS; t++) {
        char *text = need(malloc(found[t].size + 1));
        upc_memget(text, found[t].bases, found[t].size);
        for (size_t i = 0, start = 0; i < found[t].contigs; start = found[t].ends[i++])
            all[n++] = (struct contig){text + start, found[t].ends[i] - start};
    }
    qsort(all, n, sizeof *all, longest_first);
    FILE *file = fopen(output_name, "w");
    for (size_t i = 0; file && i < n; i++)
        fprintf(file, ">contig%zu length %zu\n%.*s\n", i + 1, all[i].length, (int)all[i].length, all[i].bases);
    if (!file || ferror(file) || fclose(file) != 0)
        fail("cannot write %s: %s", output_name, strerror(errno));
}

/* ---- the command line ---------------------------------------------------------------------------------- */

static void usage(void) {
    if (MYTHREAD == 0)
        fputs("usage: kmer [-k K] [-m MIN] [-q QUALITY] [-o contigs.fa] [-p] [-r reference.fa] reads.fq... "
              "[reference.fa]\n"
              "  -k K        length of the k-mers, odd, 3 to 31 (21)\n"
              "  -m MIN      k-mers that occur less often are errors (3)\n"
              "  -q QUALITY  bases of lower quality are not used (0)\n"
              "  -o FILE     write the contigs there\n"
              "  -p          draw a progress bar, even if standard error is no terminal\n"
              "  -r FILE     the reference; without it, the last file is the reference\n",
              stderr);
    upc_barrier;
    exit(2);
}

static long number(const char *text, long low, long high) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < low || value > high) {
        if (MYTHREAD == 0)
            fprintf(stderr, "kmer: %s is not a number from %ld to %ld\n", text, low, high);
        usage();
    }
    return value;
}

static char *names[MAX_FILES];

/* Reads the options and fills names: the files of reads, the reference last. Returns their number. */
static int parse_options(int argc, char **argv) {
    char *reference = NULL;
    const char *terminals = getenv("MERIDIAN_TERMINAL"); /* meridian run carries the output and knows */
    show_progress = isatty(STDERR_FILENO) || (terminals && strchr(terminals, '2'));
    opterr = MYTHREAD == 0;
    for (int option; (option = getopt(argc, argv, "k:m:q:o:pr:")) != -1;)
        switch (option) {
        case 'k': K = number(optarg, 3, 31); break;
        case 'm': min_count = number(optarg, 1, 1000000); break;
        case 'q': min_quality = number(optarg, 0, 93); break;
        case 'o': output_name = optarg; break;
        case 'p': show_progress = true; break;
        case 'r': reference = optarg; break;
        default: usage();
        }
    int files = argc - optind;
    if (files + (reference != NULL) < 2)
        usage();
    if (files + (reference != NULL) > MAX_FILES)
        fail_all("%d files are too many: at most %d", files, MAX_FILES);
    if (K % 2 == 0)
        fail_all("K must be odd, so that no k-mer is its own reverse complement");
    memcpy(names, argv + optind, files * sizeof *names);
    if (reference)
        names[files++] = reference;
    kmer_mask = ~(kmer_t)0 >> (64 - 2 * K);
    memset(code_of, -1, sizeof code_of);
    for (int i = 0; i < 4; i++)
        code_of[(unsigned char)"ACGT"[i]] = code_of[(unsigned char)"acgt"[i]] = i;
    return files;
}

/* The figures that thread 0 prints at the end; all are sums over all threads. */
static struct {
    uint64_t reads, bases, kmers, distinct, kept, contigs, longest, whole, covered;
    double counting;
} result;

static void print_result(void) {
    printf("reads     %ju, %ju bases\n"
           "k-mers    %ju of %d bases, %ju distinct, %ju occur %u times or more\n"
           "counted   on %d threads in %.3f s: %.1f million k-mers a second\n"
           "contigs   %ju, the longest of %ju bases\n"
           "genome    %zu bases, %.3f %% covered exactly by contigs; %ju of %ju stand in it whole\n",
           result.reads, result.bases, result.kmers, K, result.distinct, result.kept, min_count, THREADS,
           result.counting, result.kmers / result.counting * 1e-6, result.contigs, result.longest, genome_bases,
           100.0 * result.covered / genome_bases, result.whole, result.contigs);
}

static void load(int files) {
    upc_forall(int i = 0; i < files; i++; i) texts[i] = read_text(names[i]);
    upc_barrier;
    for (int i = 0; i < files - 1; i++)
        if (texts[i].data[0] != '@')
            fail_all("%s is not in FASTQ format: it must begin with @", names[i]);
    read_reference(texts[files - 1], names[files - 1]);
    take_share(files - 1, names);
    upc_barrier;
    upc_forall(int i = 0; i < files; i++; i) upc_free(texts[i].data);
}

static void check_contigs(void) {
    uint64_t longest = 0, whole = 0;
    index_genome();
    hit = (shared[GENOME_BLOCK] unsigned char *)upc_all_alloc(genome_length / GENOME_BLOCK + 1, GENOME_BLOCK);
    if (!hit)
        fail_all("no shared memory for the genome");
    upc_forall(size_t i = 0; i < genome_length; i++; &hit[i]) hit[i] = 0;
    upc_barrier;
    for (size_t i = 0; i < contigs; i++) {
        size_t start = contig_start(i), length = ends[i] - start;
        longest = length > longest ? length : longest;
        whole += check_contig(bases + start, length);
    }
    result.longest = maximum_of_all(longest);
    result.whole = sum_of_all(whole);
    result.covered = sum_of_all(covered_here());
}

int main(int argc, char **argv) {
    double begin = now();
    load(parse_options(argc, argv));

    size_t bytes = sum_of_all(share_end - share);
    double start = now();
    count_all(bytes);
    result.counting = now() - start;
    result.reads = sum_of_all(reads_seen);
    result.bases = sum_of_all(bases_seen);
    result.kmers = sum_of_all(kmers_seen);
    result.distinct = sum_of_all(table_used);

    result.kept = sum_of_all(find_extensions());
    find_contigs();
    result.contigs = sum_of_all(contigs);
    check_contigs();
    if (output_name)
        write_contigs(result.contigs);
    if (MYTHREAD == 0) {
        print_result();
        printf("time      %.3f s in all\n", now() - begin);
    }
    return 0;
}
