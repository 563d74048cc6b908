/* Blocks-in-a-box by messages, as in the example. */
#ifndef BENCH_BLOCKS_H
#define BENCH_BLOCKS_H

/* Collective. begin is called once, first; then blocks_by_message does the given number of searches. */
void blocks_by_message_begin(void);
void blocks_by_message(long turns);

#endif
