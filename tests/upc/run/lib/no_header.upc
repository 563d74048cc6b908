// The language needs no header: shared objects, barriers and forall work without upc.h.
//: clause 6.6.1 p1
extern int printf(const char *, ...);
extern void exit(int);
shared int a[THREADS];
int main() {
    upc_forall(int i = 0; i < THREADS; i++; &a[i]) a[i] = i + 1;
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += a[i];
    if (sum != THREADS * (THREADS + 1) / 2)
        exit(1);
    return 0;
}
