/* The protocol between a thread and the monitor of its host, and among monitors; see monitor.h. */
#ifndef MER_START_MONITOR_PROCESS_H
#define MER_START_MONITOR_PROCESS_H

#include <stdint.h>
#include <sys/socket.h>

/* A connection carries first a struct mer_hello, then single characters.  A claim is answered by yes or no.
 */
enum mer_word {
    MER_WORD_CLAIM = 'c',
    MER_WORD_YES = 'y',
    MER_WORD_NO = 'n',
    MER_WORD_TOLD = 't',   /* the launcher ends the job */
    MER_WORD_PARTED = 'p', /* of a thread: it ends in order; of a monitor: no thread of its host is left */
};

struct mer_hello {
    unsigned char key[16]; /* of the monitor that is called */
    int32_t thread;        /* the caller's, or the first of its host */
    char host[64];
};

/* The arguments of a monitor, which owns the descriptors. */
struct mer_monitor {
    int threads, silence;
    struct mer_hello own; /* key and host of this monitor, and its host's first thread */
    int here_count;       /* threads of this host */
    int first;            /* the connection to the first of them */
    int here;             /* the listening socket for the others */
    int hosts;            /* on thread 0's host: the listening socket for the other monitors; else -1 */
    int up;               /* on other hosts: the connection to thread 0's host; -1 if there is none */
};

/* Run the monitor, until no thread is left. */
_Noreturn void mer_monitor_run(const struct mer_monitor *monitor);

#endif
