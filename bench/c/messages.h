/* Raw active messages: what Split-C's accesses are held against when all goes by message. */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

/* Register the handlers; all processors, with a barrier behind. */
void raw_start(void);

/* n requests to processor proc at `there', an address of its own; blocking ones wait for each answer, the
 * others until all have been answered.  store: one way. */
void raw_read(int proc, long *to, const long *there, long n);
void raw_get(int proc, long *to, const long *there, long n);
void raw_write(int proc, long *there, const long *from, long n);
void raw_put(int proc, long *there, const long *from, long n);
void raw_store(int proc, long *there, const long *from, long n);
/* The same with `bytes' <= 4096 bytes in one message. */
void raw_get_block(int proc, void *to, const void *there, unsigned long bytes);
void raw_put_block(int proc, void *there, const void *from, unsigned long bytes);
void raw_store_block(int proc, void *there, const void *from, unsigned long bytes);

/* turns round trips of pairs of processors, even and odd: by message, by two spinning cache lines, by futex.
 * Each processor's two words lie on lines of their own. */
void round_trips(int partner, int first, long turns);
void line_trips(unsigned *mine, unsigned *theirs, int first, long turns);
void futex_trips(unsigned *mine, unsigned *theirs, int first, long turns);

#endif
