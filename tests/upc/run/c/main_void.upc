// main() with an empty list, falling off its end, gives status 0.
#include <upc.h>
shared int x[THREADS];
int main() { x[MYTHREAD] = 1; }
