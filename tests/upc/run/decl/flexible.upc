// Flexible array members, unions and nested anonymous members in allocated shared memory.
#include "../../check.h"

struct packet {
    int length;
    union {
        int as_int;
        float as_float;
        struct {
            short low, high;
        };
    };
    double values[];
};
shared struct packet *shared box[THREADS];

int main(void) {
    shared struct packet *p = (shared struct packet *)upc_alloc(sizeof(struct packet) + 10 * sizeof(double));
    p->length = 10;
    p->as_int = 0x00020001;
    for (int i = 0; i < 10; i++)
        p->values[i] = i + MYTHREAD;
    p->values[3] *= 2;
    box[MYTHREAD] = p;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    shared struct packet *q = box[next];
    CHECK_EQ(q->length, 10);
    CHECK(q->low == 1 && q->high == 2);
    double sum = 0;
    for (int i = 0; i < q->length; i++)
        sum += q->values[i];
    CHECK(sum == 45 + 10 * next + 3 + next);
    shared[] double *v = q->values;
    CHECK(v[9] == 9 + next && v == &q->values[0]);
    CHECK_EQ(upc_threadof(v + 9), next);
    upc_barrier;
    box[MYTHREAD]->high++;
    box[MYTHREAD]->as_int -= 1;
    CHECK_EQ(p->as_int, 0x00030000);
    return 0;
}
