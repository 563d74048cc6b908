// Tables of functions that take and return pointers-to-shared: operators on blocks of an array, by name
// and by number, passed to a function that applies them.
//: clause 6.7 p1
#include <string.h>
#include "../../check.h"

#define B 6
typedef shared[B] int *block_p;
typedef long (*fold_fn)(long so_far, shared const int *at);
typedef block_p (*step_fn)(block_p, int);

shared[B] int data[B * THREADS];

static long add(long so_far, shared const int *at) { return so_far + *at; }
static long most(long so_far, shared const int *at) { return *at > so_far ? *at : so_far; }
static long odd(long so_far, shared const int *at) { return so_far + (*at & 1); }

static block_p forward(block_p p, int n) { return p + n; }
static block_p start_of(block_p p, int n) { return (block_p)upc_resetphase(p) + 0 * n; }
static block_p owner_next(block_p p, int n) { return p + n * B; }

static const struct {
    const char *name;
    fold_fn apply;
} folds[] = {{"add", add}, {.apply = most, .name = "most"}, {"odd", &odd}};

static step_fn const steps[3] = {[1] = owner_next, [0] = forward, [2] = start_of};

static long fold(fold_fn f, block_p from, int n) {
    long so_far = 0;
    for (int i = 0; i < n; i++)
        so_far = f(so_far, (shared const int *)(from + i));
    return so_far;
}

static fold_fn named(const char *name) {
    for (unsigned i = 0; i < sizeof folds / sizeof *folds; i++)
        if (!strcmp(folds[i].name, name))
            return folds[i].apply;
    return NULL;
}

static step_fn pick(int n) { return steps[n % 3]; }
static int (*chooser(int n))(int) { return n ? abs : NULL; }

int main(int argc, char **argv) {
    upc_forall (int i = 0; i < B * THREADS; i++; &data[i])
        data[i] = (i * 37) % 101 - 20;
    upc_barrier;
    long sum = 0, top = 0, odds = 0;
    for (int i = 0; i < B * THREADS; i++) {
        int v = (i * 37) % 101 - 20;
        sum += v, top = v > top ? v : top, odds += v & 1;
    }
    CHECK_EQ(fold(named("add"), data, B * THREADS), sum);
    CHECK_EQ(fold(named("most"), data, B * THREADS), top);
    CHECK_EQ(fold(named("odd"), data, B * THREADS), odds);
    CHECK(!named("none"));
    CHECK(pick(0)(data, 3) == &data[3]);
    CHECK_EQ(upc_threadof(pick(4)(data, THREADS - 1)), THREADS - 1);
    CHECK_EQ(upc_phaseof(pick(0)(data, 4)), 4);
    CHECK_EQ((*pick(1))(&data[2], 0) - data, 2);
    CHECK_EQ(upc_phaseof((*steps[2])(&data[3], 9)), 0);
    CHECK(chooser(1)(-3) == 3 && !chooser(0));
    return 0;
}
