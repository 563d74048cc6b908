/* Settings: one row each, from which the parsing of the environment, the printed table (MERIDIAN_SETTINGS=1)
 * and the manual follow.  A value that is not of its kind, or out of range, is a fatal message at start-up
 * that names the variable.
 *
 *   INTEGER  a whole number from least to most
 *   SIZE     megabytes, or a number followed by K, M or G; from least to most megabytes
 *   STRING   any text; least and most are not used; an empty text counts as none
 *
 * A variable that is set under its former name alone is taken from there.  The variables by which the
 * launcher tells a process its place in the job are not settings: boot/launched.c has their table.
 */
#ifndef MER_BASE_SETTINGS_H
#define MER_BASE_SETTINGS_H

/*    name           kind  default least most  category  former name   help */
#define MER_SETTINGS(X)                                                                                      \
    X(CHECK, INTEGER, 0, 0, 1, CHECKING, "",                                                                 \
      "1: check arguments of collective calls, and report who waits for whom in long waits")                 \
    X(STALL_SECONDS, INTEGER, 10, 1, 86400, CHECKING, "",                                                    \
      "with MERIDIAN_CHECK=1: seconds after which a wait is long, and is reported")                          \
    X(ABORT, INTEGER, 0, 0, 1, CHECKING, "",                                                                 \
      "1: a fatal error ends with SIGABRT, which leaves a core file, instead of exit code 1")                \
    X(BACKTRACE, INTEGER, 0, 0, 1, CHECKING, "", "1: a fatal error or signal prints a backtrace")            \
    X(WRAP, INTEGER, 0, 0, 2147483647, CHECKING, "",                                                         \
      "for tests: not 0: counters begin this many steps before they wrap around")                            \
    X(DEBUGGER, INTEGER, 0, 0, 2, CHECKING, "",                                                              \
      "1: each thread prints its process number, and waits before main for a debugger; 2: does not print")   \
    X(SETTINGS, INTEGER, 0, 0, 1, CHECKING, "", "1: thread 0 prints this table at start")                    \
    X(SANITIZE, STRING, 0, 0, 0, CHECKING, "",                                                               \
      "options of -fsanitize=pgas, separated by commas: halt (end at the first finding)")                    \
    X(VECTORS, INTEGER, 64, 16, 64, CHECKING, "",                                                            \
      "the greatest number of bytes in vectors of stencils: 64 (AVX-512), 32 (AVX2) or 16")                  \
    X(RECORD, STRING, 0, 0, 0, CHECKING, "",                                                                 \
      "the file to which threads append their calls; `meridian run --record` creates the file")              \
    X(PROFILE_LINES, STRING, 0, 0, 0, CHECKING, "",                                                          \
      "threads write the costs of lines to this name and .N, N the thread; set by `meridian run --profile`") \
    X(CONDUIT, STRING, 0, 0, 0, NETWORK, "",                                                                 \
      "the conduit between hosts: ofi (libfabric), tcp or the name of a module; none: Meridian chooses")     \
    X(INTERFACE, STRING, 0, 0, 0, NETWORK, "",                                                               \
      "the network interface of this host to use, by name or address; none: Meridian chooses")               \
    X(ENCRYPT, INTEGER, 0, 0, 1, NETWORK, "",                                                                \
      "1: encrypt and authenticate messages between hosts (conduit tcp, by OpenSSL)")                        \
    X(MODULES, STRING, 0, 0, 0, NETWORK, "",                                                                 \
      "the directory of conduit-NAME.so and boot-pmix.so; none: the directory of the installation")          \
    X(SILENCE, INTEGER, 30, 1, 86400, NETWORK, "",                                                           \
      "seconds of silence after which a thread on another host counts as dead")                              \
    X(BULK, INTEGER, 65536, 4096, 1073741824, NETWORK, "",                                                   \
      "bytes from which copies use the conduit's get and put, without buffers, instead of messages")         \
    X(WINDOW, INTEGER, 262144, 131072, 16777216, NETWORK, "",                                                \
      "most bytes of unanswered requests from a thread to a thread of another host")                         \
    X(PACKET, INTEGER, 32768, 4096, 65536, NETWORK, "",                                                      \
      "most bytes of messages that are put together into one packet to a thread of another host")            \
    X(PREFETCH, INTEGER, 4096, 1, 8192, NETWORK, "",                                                         \
      "UPC: iterations of a loop whose reads of other hosts' memory are started together (meridian cc -O2)") \
    X(NAP, INTEGER, 400, 10, 100000, NETWORK, "",                                                            \
      "microseconds without a poll after which the progress thread serves the messages of a thread")         \
    X(REFERENCE, INTEGER, 0, 0, 1, NETWORK, "",                                                              \
      "1: calls and dialects that can do so reach the memory of other threads by active messages")           \
    X(REMOTE, INTEGER, 0, 0, 1, NETWORK, "ELSEWHERE",                                                        \
      "1: all memory of other threads is remote: every access is an active message")                         \
    X(TAM_DEAL, INTEGER, 0, 0, 1, NETWORK, "",                                                               \
      "Id: 1: calls go to all processors in turn, not only to processors that ask for work")                 \
    X(TAM_ORDER, INTEGER, 0, 0, 2147483647, WAITING, "",                                                     \
      "for tests: Id: not 0: ready work runs in a random order that this number determines, with pauses")    \
    X(SPIN, INTEGER, 2000, 0, 100000000, WAITING, "",                                                        \
      "most iterations of the spin loop before a waiting thread yields its CPU")                             \
    X(YIELDS, INTEGER, 20, 0, 1000000, WAITING, "", "most yields of the CPU before a waiting thread sleeps") \
    X(STACK, SIZE, 64, 2, 65536, MEMORY, "", "Split-C, AC: the stack of the main program")                   \
    X(RESERVE, SIZE, 0, 0, 33554432, MEMORY, "",                                                             \
      "address space for the shared memory of each thread; 0: all, or the rest under a limit")

/* The categories, in the order of the rows, with their titles in the printed table. */
#define MER_SETTING_CATEGORIES(CATEGORY)                                                                     \
    CATEGORY(CHECKING, "errors and checks")                                                                  \
    CATEGORY(NETWORK, "other hosts") CATEGORY(WAITING, "waiting") CATEGORY(MEMORY, "memory")

enum mer_setting {
#define MER_SETTING_ID(name, ...) MER_SETTING_##name,
    MER_SETTINGS(MER_SETTING_ID)
#undef MER_SETTING_ID
        MER_SETTING_COUNT
};

/* Read the environment.  Start-up, once, before anything waits. */
void mer_settings_read(void);

/* The value of a number or, in bytes, a size, before the settings are read; the default if the variable holds
 * no valid value, which mer_settings_read then reports. */
long mer_setting_early(enum mer_setting setting);

/* Returns the text of a STRING, or null if there is none.  May be called at any time. */
const char *mer_setting_text(enum mer_setting setting);

/* Print the table with the values in force, on standard error. */
void mer_settings_print(void);

/* The values in force: numbers, and sizes in bytes. */
extern long mer_setting_value[MER_SETTING_COUNT];
#define mer_setting(name) (mer_setting_value[MER_SETTING_##name])

#endif
