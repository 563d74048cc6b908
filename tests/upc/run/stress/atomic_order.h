/* The steps of atomic_order.upc on objects of type T, a domain's KIND; FLOATING: without bitwise
 * operations. Values stay so small that a float holds them. */
static shared T NAME(words)[MOST][WORDS][THREADS]; /* by writer, word, owner */
static shared T NAME(sums)[THREADS];

/* Operations without a result, by number: on the object, and on its expected value. */
static void NAME(quiet)(upc_atomicdomain_t *domain, unsigned op, shared T *at, T *is, T by) {
    switch (op) {
    case 0:
        upc_atomic_relaxed(domain, 0, UPC_SET, at, &by, 0);
        *is = by;
        break;
    case 1:
        upc_atomic_relaxed(domain, 0, UPC_ADD, at, &by, 0);
        *is += by;
        break;
    case 2:
        upc_atomic_relaxed(domain, 0, UPC_SUB, at, &by, 0);
        *is -= by;
        break;
    case 3:
        upc_atomic_relaxed(domain, 0, UPC_MIN, at, &by, 0);
        *is = by < *is ? by : *is;
        break;
    case 4:
        upc_atomic_relaxed(domain, 0, UPC_MAX, at, &by, 0);
        *is = by > *is ? by : *is;
        break;
    case 5:
        upc_atomic_relaxed(domain, 0, UPC_SET, at, &by, 0);
        upc_atomic_relaxed(domain, 0, UPC_MULT, at, &by, 0);
        *is = by * by;
        break;
    case 6:
        upc_atomic_relaxed(domain, 0, UPC_INC, at, 0, 0);
        *is += 1;
        break;
    case 7:
        upc_atomic_relaxed(domain, 0, UPC_DEC, at, 0, 0);
        *is -= 1;
        break;
#ifndef FLOATING
    case 8:
        upc_atomic_relaxed(domain, 0, UPC_AND, at, &by, 0);
        *is &= by;
        break;
    case 9:
        upc_atomic_relaxed(domain, 0, UPC_OR, at, &by, 0);
        *is |= by;
        break;
    case 10:
        upc_atomic_relaxed(domain, 0, UPC_XOR, at, &by, 0);
        *is ^= by;
        break;
#endif
    default:
        upc_atomic_strict(domain, 0, UPC_ADD, at, &by, 0);
        *is += by;
    }
}

/* Other accesses, in the same form. */
static void NAME(other)(upc_atomicdomain_t *domain, unsigned op, shared T *at, T *is, T by) {
    T old;
    switch (op) {
    case 0:
        *at = by;
        *is = by;
        break;
    case 1:
        CHECK(*at == *is);
        break;
    case 2:
        upc_atomic_relaxed(domain, &old, UPC_ADD, at, &by, 0);
        CHECK(old == *is);
        *is += by;
        break;
    default:
        old = *is;
        upc_atomic_relaxed(domain, 0, UPC_CSWAP, at, &old, &by);
        *is = by;
    }
}

static void NAME(run)(void) {
#ifdef FLOATING
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(KIND, SUMS, 0);
#else
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(KIND, SUMS | BITS, 0);
#endif
    T expected[WORDS][MOST] = {{0}}, sum = 0;
    upc_barrier;
    for (unsigned step = 0; step < STEPS; step++) {
        int t = (int)drawn(THREADS), w = (int)drawn(WORDS);
        shared T *at = &NAME(words)[MYTHREAD][w][t];
        T by = (T)(drawn(3) + 1);
        if (drawn(4))
            NAME(quiet)(domain, drawn(12), at, &expected[w][t], by);
        else
            NAME(other)(domain, drawn(4), at, &expected[w][t], by);
        upc_atomic_relaxed(domain, 0, UPC_INC, &NAME(sums)[t], 0, 0);
        delay(step);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        sum += NAME(sums)[t];
        for (int w = 0; w < WORDS; w++)
            CHECK(NAME(words)[MYTHREAD][w][t] == expected[w][t]);
    }
    CHECK_EQ(sum, STEPS * THREADS);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
}

#undef T
#undef NAME
#undef KIND
