/* The calls that the C compiler has put into the program's loads and stores.
 *
 * The program is compiled with -fsanitize=kernel-address, whose instrumentation is used here in another way.
 * Before each load and store it tests a byte of a table, one byte for each 8 bytes of memory, and calls a
 * function if the byte is not 0.  The table here is 0 for private memory and not 0 for shared memory
 * (start.c): so accesses to private memory cost the test, and those to shared memory come here, whichever
 * code does them.  With -O2, the test costs 0 to 2 ns an access in loops; a call for each access, as
 * -fsanitize=thread has it, costs 2 to 9 ns.
 *
 * Accesses of the program that the language calls strict are between mer_san_strict_begin and _end
 * (sanitize.h). */
#include "sanitize/access.h"

#include <meridian/abi/abi.h>

#include "sanitize/clock.h"
#include "sanitize/race.h"

static __thread int special, pauses; /* strict accesses and pauses that this POSIX thread is in; pauses */

/* The strict accesses that this POSIX thread is in, and the objects that they have read. */
static __thread struct {
    int depth, count;
    int atomics; /* atomic operations of C that it is in, whose writes may be reads too */
    uint64_t read[8];
} strict;

void mer_san_strict_begin(void);
void mer_san_strict_end(void);
void mer_san_strict_begin(void) {
    strict.depth++;
    special++;
    mer_clock_fence();
}

/* A strict read learns after the load, which may find the value of a write that came after the call for the
 * load.  A strict write releases before the store. */
void mer_san_strict_end(void) {
    special--;
    if (--strict.depth > 0)
        return;
    while (strict.count > 0)
        mer_clock_acquire(strict.read[--strict.count]);
}

void mer_san_atomic_begin(void);
void mer_san_atomic_end(void);
void mer_san_atomic_begin(void) {
    mer_san_strict_begin();
    strict.atomics++;
}
void mer_san_atomic_end(void) {
    strict.atomics--;
    mer_san_strict_end();
}

void mer_san_fence(void);
void mer_san_fence(void) { mer_clock_fence(); }

static void access_strictly(uint64_t at, size_t n, bool write, struct mer_caller caller) {
    if (at - MER_VIEW_BASE >= MER_VIEW_SIZE)
        return;
    mer_race_access(at, n, write ? MER_ACCESS_ATOMIC_WRITE : MER_ACCESS_ATOMIC_READ, caller);
    if (write)
        mer_clock_release(at);
    if (write && strict.atomics == 0)
        return;
    if (strict.count < (int)(sizeof strict.read / sizeof *strict.read))
        strict.read[strict.count++] = at;
    else
        mer_clock_acquire(at);
}

void mer_sanitize_pause(bool begins) {
    pauses += begins ? 1 : -1;
    special += begins ? 1 : -1;
}

void mer_sanitize_access(uint64_t at, size_t n, bool write, struct mer_caller caller) {
    if (__builtin_expect(pauses > 0, 0))
        return;
    if (__builtin_expect(strict.depth > 0, 0))
        access_strictly(at, n, write, caller);
    else
        mer_race_access(at, n, write ? MER_ACCESS_WRITE : MER_ACCESS_READ, caller);
}

/* The accesses of n <= 8 bytes that the program's own code does. */
static inline void access_word(uint64_t at, size_t n, bool write, struct mer_caller caller) {
    if (__builtin_expect(special > 0, 0) ||
        !mer_race_known(at, n, write ? MER_ACCESS_WRITE : MER_ACCESS_READ))
        mer_sanitize_access(at, n, write, caller);
}

/* Named by the C compilers. */
#define MER_REPORT(kind, size, write, access)                                                                \
    void __asan_report_##kind##size##_noabort(uint64_t at);                                                  \
    void __asan_report_##kind##size##_noabort(uint64_t at) { access(at, size, write, MER_CALLER); }
MER_REPORT(load, 1, false, access_word)
MER_REPORT(load, 2, false, access_word)
MER_REPORT(load, 4, false, access_word)
MER_REPORT(load, 8, false, access_word)
MER_REPORT(load, 16, false, mer_sanitize_access)
MER_REPORT(store, 1, true, access_word)
MER_REPORT(store, 2, true, access_word)
MER_REPORT(store, 4, true, access_word)
MER_REPORT(store, 8, true, access_word)
MER_REPORT(store, 16, true, mer_sanitize_access)

/* Accesses of other sizes.  The first two are called for every such access, private ones included. */
void __asan_loadN_noabort(uint64_t at, size_t n);
void __asan_storeN_noabort(uint64_t at, size_t n);
void __asan_report_load_n_noabort(uint64_t at, size_t n);
void __asan_report_store_n_noabort(uint64_t at, size_t n);
void __asan_loadN_noabort(uint64_t at, size_t n) { mer_sanitize_access(at, n, false, MER_CALLER); }
void __asan_storeN_noabort(uint64_t at, size_t n) { mer_sanitize_access(at, n, true, MER_CALLER); }
void __asan_report_load_n_noabort(uint64_t at, size_t n) { mer_sanitize_access(at, n, false, MER_CALLER); }
void __asan_report_store_n_noabort(uint64_t at, size_t n) { mer_sanitize_access(at, n, true, MER_CALLER); }

/* Before calls that do not return: nothing is kept for the frames that end there. */
void __asan_handle_no_return(void);
void __asan_handle_no_return(void) {}
