// A bank: transfers between accounts under two locks that are tried in turn, so that there is no deadlock; an
// auditor that takes all of them; locks from both allocators.
//: clause 7.2.4.7 p4
#include "../../check.h"

#define ACCOUNTS 7
#define TRANSFERS 40

struct account {
    upc_lock_t *lock;
    long balance;
    long movements;
};
shared struct account bank[ACCOUNTS * THREADS]; /* ACCOUNTS of them are used */
shared long done[THREADS];
upc_lock_t *shared counter_lock;
shared int counter;

static unsigned seed;
static unsigned draw(unsigned n) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

static void transfer(int from, int to, long sum) {
    for (;;) {
        upc_lock(bank[from].lock);
        if (from == to || upc_lock_attempt(bank[to].lock))
            break;
        upc_unlock(bank[from].lock);
    }
    bank[from].balance -= sum;
    bank[to].balance += sum;
    bank[from].movements++;
    bank[to].movements += from != to;
    if (from != to)
        upc_unlock(bank[to].lock);
    upc_unlock(bank[from].lock);
}

int main(void) {
    seed = (unsigned)MYTHREAD * 7919u + 1;
    upc_forall (int i = 0; i < ACCOUNTS; i++; &bank[i]) {
        bank[i].lock = upc_global_lock_alloc();
        bank[i].balance = 1000;
    }
    upc_lock_t *all = upc_all_lock_alloc();
    upc_barrier;

    for (int n = 0; n < TRANSFERS; n++) {
        int from = (int)draw(ACCOUNTS), to = (int)draw(ACCOUNTS);
        transfer(from, to, draw(100));
        done[MYTHREAD] += 1 + (from != to);
        if (n % 16 == MYTHREAD % 16) {
            /* The auditor: all locks, in order. */
            long sum = 0;
            for (int i = 0; i < ACCOUNTS; i++)
                while (!upc_lock_attempt(bank[i].lock))
                    ;
            for (int i = 0; i < ACCOUNTS; i++)
                sum += bank[i].balance;
            for (int i = ACCOUNTS - 1; i >= 0; i--)
                upc_unlock(bank[i].lock);
            CHECK_EQ(sum, 1000 * ACCOUNTS);
        }
        upc_lock(all);
        counter = counter + 1;
        upc_unlock(all);
    }
    upc_barrier;
    long movements = 0, wanted = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        movements += bank[i].movements;
    for (int t = 0; t < THREADS; t++)
        wanted += done[t];
    CHECK_EQ(movements, wanted);
    CHECK_EQ(counter, TRANSFERS * THREADS);
    upc_barrier;
    upc_all_lock_free(all);
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < ACCOUNTS; i++)
            upc_lock_free(bank[i].lock);
    upc_lock_free(NULL);
    return 0;
}
