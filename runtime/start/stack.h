/* A place for the views under an unlimited stack; see stack.c. */
#ifndef MER_START_STACK_H
#define MER_START_STACK_H

/* Execute the program once more with a limited stack, if its stack is unlimited.  The first step of start-up,
 * before anything has an effect: the process keeps its pid, descriptors and environment.  Returns if there is
 * nothing to do, or it cannot be done. */
void mer_stack_settle(char **argv, char **envp);

#endif
