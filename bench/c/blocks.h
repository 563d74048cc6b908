/* Blocks-in-a-box by messages, as the example has it. */
#ifndef BENCH_BLOCKS_H
#define BENCH_BLOCKS_H

/* Collective both: once at first; so many searches. */
void blocks_by_message_begin(void);
void blocks_by_message(long turns);

#endif
