// Active messages in a UPC file: short, medium and long, to every thread, and to shared memory.
#include <meridian/am.h>
#include <upc.h>
#include <string.h>
#include "../../check.h"

#define LONG 20000

shared int counts[THREADS];
shared[LONG] char area[THREADS * LONG];
static int add, added, text, land, landed;
static int answers, texts, arrived;

static void on_add(struct mer_am_message *m) {
    int before = counts[MYTHREAD];
    counts[MYTHREAD] = before + (int)m->args[0];
    MER_AM_REPLY(m, added, 1);
}
static void on_added(struct mer_am_message *m) { answers += (int)m->args[0]; }
static void on_text(struct mer_am_message *m) {
    CHECK_EQ(m->length, 12);
    CHECK(memcmp(m->payload, "some letters", 12) == 0);
    texts++;
}
static void on_land(struct mer_am_message *m) {
    const char *at = m->payload;
    CHECK_EQ(m->length, LONG);
    CHECK(at == (char *)&area[MYTHREAD * LONG] && at[0] == (char)m->source && at[LONG - 1] == (char)m->source);
    MER_AM_REPLY(m, landed, 1);
}
static void on_landed(struct mer_am_message *m) { arrived += (int)m->args[0]; }

// A pointer-to-shared in the interface's form.
static mer_ptr pointer(shared void *p) { return mer_mk(mer_bits(upc_threadof(p), upc_addrfield(p))); }

int main(void) {
    static char bytes[LONG];
    add = mer_am_register(on_add);
    added = mer_am_register(on_added);
    text = mer_am_register(on_text);
    land = mer_am_register(on_land);
    landed = mer_am_register(on_landed);
    memset(bytes, MYTHREAD, LONG);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        MER_AM_REQUEST(t, add, MYTHREAD + 1);
        mer_am_request_medium(t, text, "some letters", 12, NULL, 0);
    }
    MER_AM_WAIT_UNTIL(answers == THREADS && texts == THREADS)
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(counts[t], THREADS * (THREADS + 1) / 2);
        if (MYTHREAD == t) {
            int right = (t + 1) % THREADS;
            mer_am_request_long(pointer(&area[right * LONG]), land, bytes, LONG, NULL, 0);
            MER_AM_WAIT_UNTIL(arrived == 1)
        }
        upc_barrier;
    }
    CHECK_EQ(area[MYTHREAD * LONG], (char)((MYTHREAD + THREADS - 1) % THREADS));
    return 0;
}
