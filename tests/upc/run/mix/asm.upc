// Inline assembly on shared objects, one's own and other threads': numbers, members, vectors, structs,
// bit-fields, read, written and both; on memory of this host a locked instruction stays one.
#include <upc.h>
#include <bupc_extensions.h>
#include "../../check.h"

#define ROUNDS 500

struct record {
    int before;
    long number;
    struct {
        short pair[2];
    } inner[3];
    unsigned low : 5;
    int field : 11;
    unsigned high : 7;
};

shared long numbers[THREADS];
shared struct record records[THREADS];
shared [2] double blocked[2 * THREADS];
strict shared int flags[THREADS];
shared long total;
shared const int constants[THREADS] = {17};

#if defined(__x86_64__)
static int evaluated;
static int counted(int i) {
    evaluated++;
    return i;
}

static void words(int t) {
    long old = 0;
    numbers[t] = 40;
    __asm__ volatile("addq $2, %0" : "+m"(numbers[counted(t)])::"cc");
    CHECK_EQ(numbers[t], 42);
    __asm__ volatile("addq $1, %0" : "+r"(numbers[counted(t)])::"cc");
    __asm__("movq %1, %0" : "=r"(old) : "m"(numbers[t]));
    CHECK_EQ(old, 43);
    __asm__("movq %1, %0" : "=m"(numbers[t]) : "r"(7L));
    CHECK_EQ(numbers[t], 7);
    __asm__("leaq (%1,%2), %0" : "=r"(numbers[t]) : "r"(numbers[t]), "r"(numbers[t]));
    CHECK_EQ(numbers[t], 14);
    __asm__("incq %0" : "=r"(numbers[t]) : "0"(numbers[t]) : "cc");
    CHECK_EQ(numbers[t], 15);
    __asm__("xchgq %0, %1" : "+r"(old), "+m"(*&numbers[t]));
    CHECK(old == 15 && numbers[t] == 43);
    CHECK_EQ(evaluated, 2);
    evaluated = 0;
    int i;
    __asm__("movl %1, %0" : "=r"(i) : "m"(constants[t]));
    CHECK_EQ(i, t ? 0 : 17);
}

static void members(int t) {
    shared struct record *r = &records[t];
    r->number = 5;
    r->inner[1].pair[0] = 100;
    r->inner[1].pair[1] = 200;
    __asm__("negq %0" : "+r"(r->number)::"cc");
    __asm__("addw %1, %0" : "+m"(records[t].inner[counted(1)].pair[1]) : "r"(r->inner[1].pair[0]) : "cc");
    CHECK(r->number == -5 && r->inner[1].pair[0] == 100 && r->inner[1].pair[1] == 300);
    r->low = 21, r->field = -300, r->high = 99;
    int value;
    __asm__("leal 7(%1), %0" : "=r"(value) : "r"((int)r->field));
    CHECK_EQ(value, -293);
    __asm__("addl $7, %0" : "+r"(records[counted(t)].field)::"cc");
    CHECK(r->field == -293 && r->low == 21 && r->high == 99);
    __asm__("movl $-1, %0" : "=r"(r->field));
    CHECK(r->field == -1 && r->low == 21 && r->high == 99);
    CHECK_EQ(evaluated, 2);
    evaluated = 0;
    double two = 2;
    blocked[2 * t + 1] = 20.25;
    __asm__("addsd %1, %0" : "+x"(blocked[2 * t + 1]) : "x"(two));
    CHECK(blocked[2 * t + 1] == 22.25);
    struct record copy;
    r->before = 77;
    __asm__("movl %1, %0" : "=r"(copy.before) : "m"(*r));
    CHECK_EQ(copy.before, 77);
}

// Strict: earlier writes are there when the flag is.
static void strict_flag(void) {
    int next = (MYTHREAD + 1) % THREADS, one = 1;
    flags[MYTHREAD] = 0;
    upc_barrier;
    numbers[next] = 1000 + MYTHREAD;
    __asm__ volatile("movl %1, %0" : "=m"(flags[next]) : "r"(one) : "memory");
    for (one = 0; one == 0;)
        __asm__ volatile("movl %1, %0" : "=r"(one) : "m"(flags[MYTHREAD]) : "memory");
    CHECK_EQ(numbers[MYTHREAD], 1000 + (MYTHREAD + THREADS - 1) % THREADS);
    upc_barrier;
}

static int jump(int t) {
    __asm__ goto("testq %0, %0\n\tjz %l1" : : "r"(numbers[t]) : "cc" : zero);
    return 1;
zero:
    return 0;
}

// The threads of one host add with locked instructions.
static void locked(void) {
    upc_barrier;
    int mine = bupc_thread_distance(0, MYTHREAD) <= BUPC_THREADS_VERYNEAR;
    for (int i = 0; mine && i < ROUNDS; i++)
        __asm__ volatile("lock; incq %0" : "+m"(total)::"cc", "memory");
    upc_barrier;
    long near = 0;
    for (int t = 0; t < THREADS; t++)
        near += bupc_thread_distance(0, t) <= BUPC_THREADS_VERYNEAR;
    CHECK_EQ(total, near * ROUNDS);
}

int main(void) {
    for (int t = 0; t < THREADS; t++) {
        if (MYTHREAD == (t + 1) % THREADS) {
            words(t);
            members(t);
        }
        upc_barrier;
    }
    strict_flag();
    numbers[MYTHREAD] = MYTHREAD % 2;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(jump(t), t % 2);
    locked();
    return 0;
}
#else
int main(void) { return 0; }
#endif
