#include <meridian/id.h>
#include <upc.h>

shared int data[10 * THREADS];

void shared_sum(int64_t n, mer_id_array r) {
    int64_t sum = 0, zero = 0;
    int most = n < 10 * THREADS ? (int)n : 10 * THREADS;
    for (int i = 0; i < most; i++)
        data[i] = i;
    for (int i = 0; i < most; i++)
        sum += data[i];
    /* With few threads the array is shorter. */
    for (int i = most; i < n; i++)
        sum += i;
    mer_id_write_int(r, &zero, sum);
}
