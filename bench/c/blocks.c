/* The example's message-passing program as functions, to be measured in one process with the other
 * version. */
#define main blocks_messages_alone
#include "../../examples/ac/blocks_messages.c"
#undef main

#include "blocks.h"

int blocks_messages_alone(int argc, char **argv);

void blocks_by_message_begin(void) { begin(); }

void blocks_by_message(long turns) {
    struct tally t = {0, 0, 0};
    while (turns--)
        search_together(&t);
}
