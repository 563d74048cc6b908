#include <upc.h>
typedef struct {
    int key;
    double weight;
} record;
shared int total;
shared[4] int blocks[4 * THREADS];
shared record records[THREADS];
shared[] char name[32];
shared[4] int *shared first;
shared int large[2][80000000 * THREADS];
strict shared int flag;
int own;
double table[10];
upc_lock_t *lock;
void other(void);
