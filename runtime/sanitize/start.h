/* Start and end of -fsanitize=pgas in a thread. */
#ifndef MER_SANITIZE_START_H
#define MER_SANITIZE_START_H

/* A program with -fsanitize=pgas refers to this, so that the linker takes the library's start-up. */
extern const char mer_sanitize_linked;

#endif
