/* With MERIDIAN_CHECK=1: the arguments of a collective call are compared between the threads (all of them are
 * single-valued, UPC 7.4 p3) before the call does anything. */
#ifndef MER_COLL_CHECK_H
#define MER_COLL_CHECK_H

#include <meridian/abi/abi.h>

/* "file:line" of the next call, set by the headers' macros and reset by the check; null if the call is not by
 * name (through a pointer to the function). */
extern const char *mer_coll_where;

enum mer_check_kind { MER_CHECK_SIZE, MER_CHECK_POINTER, MER_CHECK_OP, MER_CHECK_FLAGS, MER_CHECK_FUNCTION };

struct mer_check_argument {
    const char *name;
    enum mer_check_kind kind;
    mer_pptr value; /* numbers: in bits */
};
#define MER_CHECK_ARGUMENTS 8 /* most arguments of a call */

/* A full barrier; a difference is a fatal message that names the call, the argument, two threads and both
 * values.  The first message of a job ends it.  Returns the place of the call, for further messages. */
const char *mer_check_alike(const char *call, const struct mer_check_argument *arguments, int count);

/* A fatal message about this thread's own arguments: "upc_all_x at f.upc:10: " and the rest. */
_Noreturn void mer_check_refuse(const char *call, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
