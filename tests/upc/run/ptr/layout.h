/* The standard's layout of element i of an array with block size B: thread, phase, and the element's number
 * among those that its thread holds. */
#ifndef LAYOUT_H
#define LAYOUT_H
#define THREAD_OF(i, B) ((B) == 0 ? 0 : (i) / (B) % THREADS)
#define PHASE_OF(i, B) ((B) == 0 ? 0 : (i) % (B))
#define LOCAL_OF(i, B) ((B) == 0 ? (i) : (i) / ((B) * THREADS) * (B) + (i) % (B))
#endif
