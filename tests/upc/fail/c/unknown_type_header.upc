// A type of the library without its header.
#include <upc.h>
void f(upc_atomicdomain_t *domain); //~ ERROR C0103
