/* Settings: one row each, from which the parsing of the environment, the printed table (MERIDIAN_SETTINGS=1)
 * and the manual follow.  Values are whole numbers; a value that is not one, or out of range, is a fatal
 * message at start-up that names the variable.
 *
 * The variables by which the launcher tells a process its place in the job (MERIDIAN_THREAD and its
 * like, ARCHITECTURE.md) are not settings: the room boot reads them.
 */
#ifndef MER_BASE_SETTINGS_H
#define MER_BASE_SETTINGS_H

/*      name        default   least  most        meaning */
#define MER_SETTINGS(X)                                                                                      \
    X(CHECK, 0, 0, 1, "1: check arguments of collective calls, and say who waits for whom in long waits")    \
    X(STALL_SECONDS, 10, 1, 86400, "with MERIDIAN_CHECK=1: seconds of waiting after which that is said")     \
    X(SILENCE, 30, 1, 86400, "seconds of silence after which a thread on another host is taken for dead")    \
    X(SPIN, 2000, 0, 100000000, "most turns of the spin loop before a waiting thread yields its CPU")        \
    X(YIELDS, 20, 0, 1000000, "most yields of the CPU before a waiting thread sleeps")                       \
    X(STACK, 64, 2, 65536, "Split-C, AC: megabytes of stack for the main program")                           \
    X(REFERENCE, 0, 0, 1,                                                                                    \
      "1: the memory of other threads is reached by active messages, where a call or a dialect does it")     \
    X(ALL_REMOTE, 0, 0, 1,                                                                                   \
      "1: treat the memory of all other threads as out of reach: every access goes by active message")       \
    X(ABORT, 0, 0, 1,                                                                                        \
      "1: a fatal error ends with SIGABRT, which leaves a core file, instead of exit code 1")                \
    X(BACKTRACE, 0, 0, 1, "1: a fatal error or signal prints the addresses of the calls it lies in")         \
    X(SETTINGS, 0, 0, 1, "1: thread 0 prints this table at start")

enum mer_setting {
#define MER_SETTING_ID(name, ...) MER_SETTING_##name,
    MER_SETTINGS(MER_SETTING_ID)
#undef MER_SETTING_ID
        MER_SETTING_COUNT
};

/* Read the environment.  Start-up, once, before anything waits. */
void mer_settings_read(void);

/* MERIDIAN_SILENCE for those who need it before the settings are read; its default where it is no number that
 * it may be, which is found out then. */
long mer_setting_early_silence(void);

/* Print the table with the values in force, on standard error. */
void mer_settings_print(void);

extern long mer_setting_value[MER_SETTING_COUNT];
#define mer_setting(name) (mer_setting_value[MER_SETTING_##name])

#endif
