/* N bodies in a ring: each processor's bodies travel around all processors in a store pipeline. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../check.h"
#define EACH 5
typedef struct { double x, y, mass; } body_t;
body_t traveller[PROCS]::[2][EACH];
body_t bodies[PROCS]::[EACH];
struct force { double fx, fy; } forces[PROCS]::[EACH];

static void start(int i, body_t *to) { to->x = i % 4; to->y = i * 0.3; to->mass = 1 + i % 3; }

static void pull(body_t *on, body_t *by, struct force *f)
{
    double dx = by->x - on->x, dy = by->y - on->y, r = dx * dx + dy * dy + 0.5;
    f->fx += on->mass * by->mass * dx / r;
    f->fy += on->mass * by->mass * dy / r;
}

splitc_main()
{
    body_t *mine = tolocal(bodies[MYPROC]), *now;
    struct force *f = tolocal(forces[MYPROC]), want;
    int right = (MYPROC + 1) % PROCS, i, j, hop;
    for (i = 0; i < EACH; i++) { start(MYPROC * EACH + i, &mine[i]); f[i].fx = f[i].fy = 0; }
    now = mine;
    barrier();
    for (hop = 0; hop < PROCS; hop++) {
        if (hop + 1 < PROCS)
            bulk_store(traveller[right][(hop + 1) % 2], now, EACH * sizeof(body_t));
        for (i = 0; i < EACH; i++)
            for (j = 0; j < EACH; j++)
                if (now[j].x != mine[i].x || now[j].y != mine[i].y)
                    pull(&mine[i], &now[j], &f[i]);
        if (hop + 1 < PROCS) {
            store_sync(EACH * sizeof(body_t));
            now = ((body_t (*)[EACH])tolocal(traveller[MYPROC]))[(hop + 1) % 2];
        }
        barrier();
    }
    for (i = 0; i < EACH; i++) {
        body_t me, other;
        want.fx = want.fy = 0;
        start(MYPROC * EACH + i, &me);
        for (j = 0; j < EACH * PROCS; j++) {
            start(j, &other);
            if (j != MYPROC * EACH + i) pull(&me, &other, &want);
        }
        CHECK(fabs(f[i].fx - want.fx) < 1e-9 && fabs(f[i].fy - want.fy) < 1e-9);
        CHECK(forces[MYPROC][i].fx == f[i].fx);
    }
    { double fx = 0, fy = 0;
      for (i = 0; i < EACH; i++) fx += f[i].fx, fy += f[i].fy;
      fx = all_reduce_to_all_dadd(fx); fy = all_reduce_to_all_dadd(fy);
      CHECK(fabs(fx) < 1e-9 && fabs(fy) < 1e-9); }
    return 0;
}
