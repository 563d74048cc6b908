/* Raw active messages: the references of Split-C's accesses if all of these go by message. */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

/* Registers the handlers; called by all processors; ends with a barrier. */
void raw_start(void);

/* Send n requests to processor proc for its address `there'. read and write wait for each answer, get and put
 * until all have been answered. store is one-way. */
void raw_read(int proc, long *to, const long *there, long n);
void raw_get(int proc, long *to, const long *there, long n);
void raw_write(int proc, long *there, const long *from, long n);
void raw_put(int proc, long *there, const long *from, long n);
void raw_store(int proc, long *there, const long *from, long n);
/* Transfer `bytes' <= 4096 bytes in one message. */
void raw_get_block(int proc, void *to, const void *there, unsigned long bytes);
void raw_put_block(int proc, void *there, const void *from, unsigned long bytes);
void raw_store_block(int proc, void *there, const void *from, unsigned long bytes);

/* Do `turns' round trips of pairs of processors, even and odd: by message, by two spinning cache lines, by
 * futex. Each processor's two words are on lines of their own. */
void round_trips(int partner, int first, long turns);
void line_trips(unsigned *mine, unsigned *theirs, int first, long turns);
void futex_trips(unsigned *mine, unsigned *theirs, int first, long turns);

#endif
