#ifndef PARTS_H
#define PARTS_H
extern shared int elsewhere[2 * THREADS];
extern shared[3] double blocked[];
extern strict shared int other;
void set_other(int);
int get_other(void);
long sum_elsewhere(void);
shared int *other_address(int);
double blocked_at(int);
int other_inline(int);
int c_add(int, int);
int c_calls(void);
static inline int inline_twice(shared int *p) { return *p * 2; }
#endif
