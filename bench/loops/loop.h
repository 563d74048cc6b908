/* The common part of the loops in this directory. LOOP names the measured loop, and TIMES_LOOP gives the
 * number of its runs in class S, with which it takes about as long as the others. */
#ifndef LOOPS_LOOP_H
#define LOOPS_LOOP_H

/* The factor of the number of runs, by class. */
static const int rounds[] = {1, 4, 20};
#define TIMES_(loop) TIMES_##loop
#define TIMES(loop) TIMES_(loop)
#define NAME_(loop) #loop
#define NAME(loop) NAME_(loop)

#endif
