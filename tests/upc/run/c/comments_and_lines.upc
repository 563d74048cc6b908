/* Comments between any tokens, lines continued, trigraph-like text, #line: none changes what runs. */
#include "../../check.h"
shared /* a */ int /* b */ x /* c */[/* d */ 2 /* e */ * /* f */ THREADS /* g */]; // h
int ma\
in(void) {
    x[MYTHREAD] /* comment */ = // another
        1;
    const char *s = "/* not a comment */ // nor this";
    CHECK(s[0] == '/' && x[MYTHREAD] == 1);
#line 500 "elsewhere.upc"
    CHECK_EQ(__LINE__, 500);
    CHECK(__FILE__[0] == 'e');
    upc_barrier /* value */ 1 /* done */;
    return 0;
}
