/* One element type's test of reductions, for reduce.upc: every operation, block size, phase, first thread and
 * count, compared with a serial fold. Included once for each type with T (the letters), TYPE and FLOATING. */
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

static TYPE PASTE(least_, T)(TYPE a, TYPE b) { return a < b ? a : b; }
/* x -> p x + q (mod 5), as 8 p + q: one after the other is associative and does not commute. */
static TYPE PASTE(affine_, T)(TYPE a, TYPE b) {
    int p = (int)a / 8, q = (int)a % 8, p2 = (int)b / 8, q2 = (int)b % 8;
    return (TYPE)(p * p2 % 5 * 8 + (p2 * q + q2) % 5);
}

static TYPE PASTE(apply_, T)(upc_op_t op, TYPE a, TYPE b, TYPE (*func)(TYPE, TYPE)) {
    switch (op) {
    case UPC_ADD:
        return a + b;
    case UPC_MULT:
        return a * b;
#if !FLOATING
    case UPC_AND:
        return a & b;
    case UPC_OR:
        return a | b;
    case UPC_XOR:
        return a ^ b;
#endif
    case UPC_LOGAND:
        return a && b;
    case UPC_LOGOR:
        return a || b;
    case UPC_MIN:
        return a < b ? a : b;
    case UPC_MAX:
        return a > b ? a : b;
    default:
        return func(a, b);
    }
}

/* Small numbers, so that sums and products of floats are exact and integers do not overflow. */
static TYPE PASTE(term_, T)(int round, size_t i, upc_op_t op) {
    unsigned r = ((unsigned)round * 2654435761u + (unsigned)i * 40503u) >> 7;
    if (op == UPC_MULT)
        return i % 37 == 5 ? 2 : 1;
    if (op == UPC_LOGAND)
        return r % 61 != 0 || round % 2;
    if (op == UPC_LOGOR)
        return r % 61 == 0 && round % 2;
    if (op == UPC_NONCOMM_FUNC)
        return (1 + r % 4) * 8 + r / 4 % 5;
    if (op == UPC_ADD)
        return sizeof(TYPE) == 1 ? r % 37 == 0 : r % 5;
    return r % 100 + 1;
}

static shared[] TYPE *PASTE(element_, T)(shared void *area, size_t i, size_t first, size_t phase, size_t block) {
    if (block == 0)
        return (shared[] TYPE *)part(area, (int)first, FRONT + i * sizeof(TYPE));
    size_t at = phase + i, turn = first + at / block;
    return (shared[] TYPE *)part(area, (int)(turn % THREADS),
                                 FRONT + (turn / THREADS * block + at % block) * sizeof(TYPE));
}

/* A pointer with the phase of an expression of the right type. */
static shared void *PASTE(start_, T)(shared void *area, size_t first, size_t phase, size_t block) {
    shared void *at = PASTE(element_, T)(area, 0, first, phase, block);
    return with_phase(at, phase);
}

/* Fills the elements that thread t owns, and computes all prefixes. */
static void PASTE(fill_, T)(TYPE *wanted, int t, upc_op_t op, TYPE (*func)(TYPE, TYPE), size_t n, size_t block,
                            size_t first, size_t phase, int round) {
    for (size_t i = 0; i < n; i++) {
        TYPE own = PASTE(term_, T)(round, i, op);
        wanted[i] = i ? PASTE(apply_, T)(op, wanted[i - 1], own, func) : own;
        if (upc_threadof(PASTE(element_, T)(source, i, first, phase, block)) == t)
            *PASTE(element_, T)(source, i, first, phase, block) = own;
    }
}

static void PASTE(reduce_, T)(upc_op_t op, TYPE (*func)(TYPE, TYPE), size_t n, size_t block, size_t first,
                              size_t phase, int in, int out) {
    static TYPE wanted[MOST];
    int round = round_number++, root = round % THREADS, flags = in | out;
    int filled = in & (UPC_IN_MYSYNC | UPC_IN_NOSYNC) ? MYTHREAD : (MYTHREAD + 1) % THREADS;
    shared void *src = PASTE(start_, T)(source, first, phase, block);
    shared void *prefixes = PASTE(start_, T)(target, first, phase, block);
    shared[] TYPE *result = (shared[] TYPE *)part(target, root, 16);
    dawdle();
    PASTE(fill_, T)(wanted, filled, op, func, n, block, first, phase, round);
    if (MYTHREAD == root)
        *result = 77;
    if (in == UPC_IN_NOSYNC)
        upc_barrier;
    PASTE(upc_all_reduce, T)(result, src, op, n, block, func, flags);
    if (out == UPC_OUT_NOSYNC)
        upc_barrier;
    if (MYTHREAD == root || !(out & (UPC_OUT_MYSYNC | UPC_OUT_NOSYNC)))
        CHECK(*result == wanted[n - 1]);
    upc_barrier;

    dawdle();
    PASTE(fill_, T)(wanted, filled, op, func, n, block, first, phase, round + 1000003);
    if (in == UPC_IN_NOSYNC)
        upc_barrier;
    PASTE(upc_all_prefix_reduce, T)(prefixes, src, op, n, block, func, flags);
    if (out == UPC_OUT_NOSYNC)
        upc_barrier;
    for (size_t i = 0; i < n; i++) {
        shared[] TYPE *at = PASTE(element_, T)(target, i, first, phase, block);
        /* a rotating share of others' elements: between hosts each costs a round trip */
        int others = !(out & (UPC_OUT_MYSYNC | UPC_OUT_NOSYNC)) && (i % 16 == (unsigned)round % 16 || i + 1 == n);
        if (upc_threadof(at) == MYTHREAD || others)
            CHECK(*at == wanted[i]);
    }
    upc_barrier;
}

static void PASTE(all_, T)(void) {
    for (int c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t block = cases[c].block == ONE_EACH ? (cases[c].n + THREADS - 1) / THREADS : cases[c].block;
        for (int op = 0; op < sizeof ops / sizeof *ops; op++) {
            if (FLOATING && (ops[op] & (UPC_AND | UPC_OR | UPC_XOR)))
                continue;
            TYPE (*func)(TYPE, TYPE) = ops[op] == UPC_FUNC ? PASTE(least_, T)
                                       : ops[op] == UPC_NONCOMM_FUNC ? PASTE(affine_, T) : NULL;
            size_t phase = block > 1 ? round_number * 5 % block : 0;
            PASTE(reduce_, T)(ops[op], func, cases[c].n, block, round_number % THREADS, phase,
                              in_flag[round_number % 4], out_flag[round_number / 4 % 4]);
        }
    }
}

#undef PASTE
#undef PASTE_
#undef T
#undef TYPE
#undef FLOATING
