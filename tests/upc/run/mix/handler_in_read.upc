// A read of another host's memory waits, and runs handlers of active messages meanwhile: objects that they
// write are not kept in a register over the read. All replies of the right neighbour come before its answer
// to the first read.
//: env MERIDIAN_REMOTE=1
//: threads 2 3 8
//: layout 1 1
#include <meridian/am.h>
#include <upc_relaxed.h>
#include "../../check.h"

#define REQUESTS 40
#define READS 200

shared int one[THREADS];
static int ask, answer;
static long total;
static volatile int answers;

static void on_ask(struct mer_am_message *m) { mer_am_reply(m, answer, m->args, 0); }
static void on_answer(struct mer_am_message *m) {
    (void)m;
    total++;
    answers++;
}

int main(void) {
    int right = (MYTHREAD + 1) % THREADS, sum = 0;
    ask = mer_am_register(on_ask);
    answer = mer_am_register(on_answer);
    one[MYTHREAD] = 1;
    upc_barrier;
    for (int i = 0; i < REQUESTS; i++)
        mer_am_request(right, ask, 0, 0);
    for (int i = 0; i < READS; i++) {
        total++;
        sum += one[right];
        total++;
    }
    MER_AM_WAIT_UNTIL(answers == REQUESTS)
    CHECK_EQ(sum, READS);
    CHECK_EQ(total, REQUESTS + 2 * READS);
    upc_barrier;
    return 0;
}
