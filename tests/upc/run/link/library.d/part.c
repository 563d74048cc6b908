#include <string.h>
int upc_part(int n);
void c_for_each(int n, void (*visit)(int, void *), void *context) {
    for (int i = 0; i < n; i++)
        visit(i, context);
}
int c_main_part(void) {
    char s[8];
    strcpy(s, "ok");
    return upc_part(1);
}
