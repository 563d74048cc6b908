/* The loops of unroll.c that interpret a plan, for vectors and elements that vectors.h names. */

INLINE void NAME(add)(V s[MOST][COLUMNS], const V *x, const struct mer_operation *o, int columns, int first,
                      int end, bool same) {
    V product[COLUMNS];
    ALL for (int k = 0; k < columns; k++) product[k] = (T)o->factor[first] * x[k];
    ALL for (int r = first; r < end; r++) {
        T factor = (T)o->factor[r];
        ALL for (int k = 0; k < columns; k++) {
            V own = factor * x[k];
            s[r][k] = s[r][k] + (same ? product[k] : own);
        }
    }
}

#define CASE(first, end)                                                                                     \
    case KIND(first, end):                                                                                   \
        NAME(add)(s, x, o, columns, first, end, false);                                                      \
        break;                                                                                               \
    case SAME + KIND(first, end):                                                                            \
        NAME(add)(s, x, o, columns, first, end, true);                                                       \
        break;

/* Computes a group of `columns' vectors, all of them whole or not.  Inlined, with constants for both. */
INLINE void NAME(group)(const struct group *g, int columns, bool whole) {
    V s[MOST][COLUMNS], x[COLUMNS];
    MASK mask[COLUMNS];
    ALL for (int k = 0; k < columns; k++) {
        mask[k] = MASK_OF(mask_of(g->n, k, LANES));
        ALL for (int r = 0; r < MOST; r++) s[r][k] = -(V){0};
    }
    const struct mer_operation *o = g->plan->operation, *end = o + g->plan->count;
    const char *u = g->u, *old = g->old;
    for (; o < end; o++) {
        const T *p = (const T *)(const void *)((o->old ? old : u) + o->at);
        ALL for (int k = 0; k < columns; k++) x[k] = whole ? *(const V *)(const void *)(p + k * LANES)
                                                           : LOAD(p + k * LANES, mask[k]);
        switch (o->kind) {
            CASE(0, 1)
            CASE(0, 2) CASE(0, 3) CASE(0, 4) CASE(1, 2) CASE(1, 3) CASE(1, 4) CASE(2, 3) CASE(2, 4) CASE(3, 4)
        }
    }
    ALL for (int r = 0; r < MOST; r++) {
        T *to = (T *)(void *)(g->out + r * g->out_next);
        if (r < g->rows)
            ALL for (int k = 0; k < columns; k++) {
                if (!whole)
                    STORE(to + k * LANES, mask[k], s[r][k]);
                else if (g->stream)
                    STREAM(to + k * LANES, s[r][k]);
                else
                    *(V *)(void *)(to + k * LANES) = s[r][k];
            }
    }
}
#undef CASE

ROUTINE void NAME(row)(struct group g, const struct mer_unroll_at *at) {
    const long most = COLUMNS * LANES;
    for (long i = 0; i < at->n; i += most) {
        /* Prefetch the elements that the next rows read, spread over the groups of these rows. */
        for (int r = 0; r < g.rows; r++)
            fetch_columns(g.u + r * g.next, g.out + r * g.out_next, at, COLUMNS * BYTES);
        g.n = at->n - i;
        if (g.n >= most)
            NAME(group)(&g, COLUMNS, true);
        else if (g.n > LANES)
            NAME(group)(&g, COLUMNS, false);
        else
            NAME(group)(&g, 1, false);
        g.u += most * (long)sizeof(T);
        g.old += most * (long)sizeof(T);
        g.out += most * (long)sizeof(T);
    }
}

/* As mer_stream_copy, by vectors. */
ROUTINE void NAME(stream_row)(char *to, const char *from, size_t n) {
    size_t first = -(uintptr_t)to & (LINE - 1);
    first = first < n ? first : n;
    memcpy(to, from, first);
    for (to += first, from += first, n -= first; n >= LINE; to += LINE, from += LINE, n -= LINE)
        for (long k = 0; k < LINE; k += BYTES)
            STREAM((T *)(void *)(to + k), *(const V *)(const void *)(from + k));
    memcpy(to, from, n);
}
