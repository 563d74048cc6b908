// An integer sort's steps: keys in structures, counters in a block-cyclic array, tables of counts, block
// gets.
#include <upc.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#define KEYS_PER (1 << 10)
#define MAX_KEY (1 << 7)
typedef int INT_TYPE;
typedef struct { INT_TYPE keys[KEYS_PER]; } keyblock;
shared keyblock key_array[THREADS];
shared INT_TYPE bucket_size_shared[MAX_KEY * THREADS];
typedef struct { int count; int displ; } send_info;
shared send_info infos[THREADS][128];
shared INT_TYPE *shared spare;
INT_TYPE *keys; double seed = 314159265.0;
static double randlc(double *x, double a) { *x = (double)(((unsigned long long)*x * (unsigned long long)a) & ((1ULL << 46) - 1)); return *x / (double)(1ULL << 46); }
int main(int argc, char **argv) {
  int i, j; long sum = 0;
  keys = ((keyblock *)&key_array[MYTHREAD])->keys;
  for (i = 0; i < MYTHREAD; i++) randlc(&seed, 1220703125.0);
  for (i = 0; i < KEYS_PER; i++) keys[i] = (int)(randlc(&seed, 1220703125.0) * MAX_KEY);
  for (i = 0; i < MAX_KEY; i++) bucket_size_shared[i * THREADS + MYTHREAD] = 0;
  for (i = 0; i < KEYS_PER; i++) bucket_size_shared[keys[i] * THREADS + MYTHREAD]++;
  upc_barrier;
  INT_TYPE total[MAX_KEY] = {0};
  for (j = 0; j < MAX_KEY; j++) for (i = 0; i < THREADS; i++) total[j] += bucket_size_shared[j * THREADS + i];
  for (j = 0; j < MAX_KEY; j++) sum += total[j];
  if (sum != (long)KEYS_PER * THREADS) { printf("bad %ld\n", sum); return 1; }
  for (i = 0; i < THREADS; i++) { infos[MYTHREAD][i].count = i + MYTHREAD; infos[MYTHREAD][i].displ = i * MYTHREAD; }
  upc_barrier;
  for (i = 0; i < THREADS; i++) { send_info in = infos[i][MYTHREAD]; if (in.count != i + MYTHREAD || infos[i][MYTHREAD].displ != i * MYTHREAD) return 2; }
  shared [] INT_TYPE *remote = (shared [] INT_TYPE *)&key_array[(MYTHREAD + 1) % THREADS].keys[0];
  INT_TYPE *buf = malloc(sizeof(INT_TYPE) * KEYS_PER);
  upc_memget(buf, remote, sizeof(INT_TYPE) * KEYS_PER);
  for (i = 0; i < KEYS_PER; i += 17) if (buf[i] != key_array[(MYTHREAD + 1) % THREADS].keys[i] || buf[i] != remote[i]) return 3;
  upc_memput(&key_array[(MYTHREAD + THREADS - 1) % THREADS].keys[KEYS_PER / 2], buf, 0);
  free(buf);
  return 0;
}
