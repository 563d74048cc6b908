// An unknown type name is reported as such, with its header, after specifiers, too.
extern upc_atomicdomain_t *everywhere; //~ ERROR C0103: #include <upc_atomic.h>
static FILE *file; //~ ERROR C0103: #include <stdio.h>
const size_t n = 3; //~ ERROR C0103: #include <stddef.h>
typedef uint64_t *words; //~ ERROR C0103: #include <stdint.h>
shared widget_t *parts; //~ ERROR C0103: unknown type name `widget_t`
extern widget_t *more(void);

int main(void) {
    static upc_lock_t *lock; //~ ERROR C0103: #include <upc.h>
    return file == 0 && lock == 0 && n;
}
