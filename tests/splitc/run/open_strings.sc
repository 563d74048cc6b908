/* Strings that continue over line ends contain these line ends; lines, comments and quotes beside them
 * keep their meaning. */
//: clause program 6
//: flags -Wno-string-over-lines
#include <split-c/split-c.h>
#include <string.h>
#include "../check.h"
#if 0
it's "left out
#endif
char *text = "one
 two \"three\"
\tfour\
 five";
splitc_main()
{
    char quote = '"', *more = "/*
*/" "// no
comment"; /* "neither
this */
    CHECK(!strcmp(text, "one\n two \"three\"\n\tfour five"));
    CHECK(!strcmp(more, "/*\n*/// no\ncomment") && quote == 34);
    CHECK(__LINE__ == 23 && strstr(__FILE__, "open_strings.sc"));
    return 0;
}
