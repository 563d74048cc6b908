// Long lines that threads print at once are not mixed, on either stream, flushed or not.
//: threads 4
//: sorted
#include <string.h>
#include "../../check.h"

int main(void) {
    char line[301];
    memset(line, 'a' + MYTHREAD, 300);
    line[300] = 0;
    for (int i = 0; i < 5; i++) {
        printf("%s\n", line);
        fflush(stdout);
    }
    return 0;
}
