#include <upc_relaxed.h>
#include <stdio.h>
struct cell {
    char owner, neighbour;
};
shared struct cell cells[THREADS];
int main(void) {
    cells[MYTHREAD].owner = 1;
    cells[(MYTHREAD + 1) % THREADS].neighbour = 2;
    upc_barrier;
    return cells[MYTHREAD].owner != 1;
}
