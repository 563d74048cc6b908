/* Work stealing: each thread has a stack of tasks under a lock of its own; thieves take the older half. The
 * tasks count the solutions of the queens problem. */
//: clause 7.2.4.6 p1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_strict.h>

#define QUEENS 7
#define DEPTH 2
#define CAPACITY 512

typedef struct task { signed char row[QUEENS]; unsigned char placed; } task;
struct stack {
    int top;                      /* tasks held */
    int stolen;
    task tasks[CAPACITY];
};

relaxed shared struct stack stacks[THREADS];
upc_lock_t *shared locks[THREADS];
shared long solutions[THREADS];
shared int left;                  /* tasks not finished */
upc_lock_t *left_lock;

static int fits(const task *t, int row) {
    for (int c = 0; c < t->placed; c++)
        if (t->row[c] == row || abs(t->row[c] - row) == t->placed - c)
            return 0;
    return 1;
}

static long serial(task *t) {
    long found = 0;
    if (t->placed == QUEENS)
        return 1;
    for (int row = 0; row < QUEENS; row++)
        if (fits(t, row)) {
            t->row[t->placed++] = row;
            found += serial(t);
            t->placed--;
        }
    return found;
}

static void count_left(int change) {
    upc_lock(left_lock);
    left += change;
    upc_unlock(left_lock);
}

static void push(const task *t) {
    upc_lock(locks[MYTHREAD]);
    int top = stacks[MYTHREAD].top;
    if (top == CAPACITY)
        upc_global_exit(3);
    stacks[MYTHREAD].tasks[top] = *t;
    stacks[MYTHREAD].top = top + 1;
    upc_unlock(locks[MYTHREAD]);
}

static int pop(task *t) {
    int got = 0;
    upc_lock(locks[MYTHREAD]);
    int top = stacks[MYTHREAD].top;
    if (top > 0) {
        *t = stacks[MYTHREAD].tasks[top - 1];
        stacks[MYTHREAD].top--;
        got = 1;
    }
    upc_unlock(locks[MYTHREAD]);
    return got;
}

static int steal(int victim) {
    static task loot[CAPACITY];
    int n = 0;
    if (stacks[victim].top < 1 || !upc_lock_attempt(locks[victim]))
        return 0;
    int top = stacks[victim].top;
    if (top > 0) {
        n = (top + 1) / 2;
        upc_memget(loot, &stacks[victim].tasks[0], n * sizeof(task));
        task rest[CAPACITY];
        upc_memget(rest, &stacks[victim].tasks[n], (top - n) * sizeof(task));
        upc_memput(&stacks[victim].tasks[0], rest, (top - n) * sizeof(task));
        stacks[victim].top = top - n;
        stacks[victim].stolen += n;
    }
    upc_unlock(locks[victim]);
    for (int k = 0; k < n; k++)
        push(&loot[k]);
    return n;
}

static void run(task *t) {
    if (t->placed >= DEPTH) {
        solutions[MYTHREAD] += serial(t);
    } else {
        for (int row = 0; row < QUEENS; row++)
            if (fits(t, row)) {
                task next = *t;
                next.row[next.placed++] = row;
                count_left(1);
                push(&next);
            }
    }
    count_left(-1);
}

int main(void) {
    task t;
    memset(&t, 0, sizeof t);
    locks[MYTHREAD] = upc_global_lock_alloc();
    left_lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        left = 1;
    upc_barrier;
    if (MYTHREAD == 0)
        push(&t);
    int victim = MYTHREAD;
    while (left > 0) {
        if (pop(&t))
            run(&t);
        else
            steal(victim = (victim + 1) % THREADS);
    }
    upc_barrier;
    long all = 0;
    for (int i = 0; i < THREADS; i++)
        all += solutions[i];
    memset(&t, 0, sizeof t);
    long want = serial(&t);
    if (all != want || want != 40) {
        fprintf(stderr, "%d: %ld solutions, not %ld\n", MYTHREAD, all, want);
        return 1;
    }
    upc_lock_free(locks[MYTHREAD]);
    upc_all_lock_free(left_lock);
    return 0;
}
