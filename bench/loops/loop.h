/* What the loops in this directory share.  LOOP names the one that is measured, and TIMES_LOOP says how
 * often, in class S, it runs to take about as long as the others. */
#ifndef LOOPS_LOOP_H
#define LOOPS_LOOP_H

/* By class: how many times as often. */
static const int rounds[] = {1, 4, 20};
#define TIMES_(loop) TIMES_##loop
#define TIMES(loop) TIMES_(loop)
#define NAME_(loop) #loop
#define NAME(loop) NAME_(loop)

#endif
