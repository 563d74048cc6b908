/* The loops of reassociate.c, for vectors and elements that vectors.h names: the sums of a group of `columns'
 * vectors, all of them whole or not; the rows of V, which begin whole vectors before the row, so that aligned
 * rows are loaded by aligned vectors; and the row that is put together of the V. */

INLINE void NAME(load)(V *x, const char *at, unsigned mask, int columns) {
    const T *p = (const T *)(const void *)at;
    if (columns == 1)
        x[0] = LOAD(p, MASK_OF(mask));
    else
        ALL for (int k = 0; k < columns; k++) x[k] = *(const V *)(const void *)(p + k * LANES);
}
INLINE void NAME(add)(V *s, const char *at, unsigned mask, int columns) {
    V x[COLUMNS];
    NAME(load)(x, at, mask, columns);
    ALL for (int k = 0; k < columns; k++) s[k] += x[k];
}
INLINE void NAME(class)(const struct mer_reassociated *p, const struct group *g, const struct class *c,
                        V v[SUMS][COLUMNS], int count, int sums, int columns) {
    V s[COLUMNS];
    const char *from = !count && c->old ? g->old : g->u;
    const ptrdiff_t *o = p->offset + c->first;
    NAME(load)(s, from + *o, g->mask, columns);
    if (count)
        WHOLE for (int r = 1; r < count; r++) NAME(add)(s, from + o[r], g->mask, columns);
    else
        for (int r = 1; r < c->count; r++)
            NAME(add)(s, from + o[r], g->mask, columns);
    ALL for (int h = 0; h < sums; h++) if (count || c->mask >> h & 1) {
        V factor = (T)c->factor[h] - (V){0};
        ALL for (int k = 0; k < columns; k++) v[h][k] = FMA(factor, s[k], v[h][k]);
    }
}
INLINE void NAME(keep_group)(const struct mer_reassociated *p, struct group *g, long i, struct shape shape,
                             int columns) {
    V v[SUMS][COLUMNS];
    ALL for (int h = 0; h < shape.sums; h++) ALL for (int k = 0; k < columns; k++) v[h][k] = -(V){0};
    if (shape.count[0])
        NAME(class)(p, g, &p->class[0], v, shape.count[0], shape.sums, columns);
    if (shape.count[1])
        NAME(class)(p, g, &p->class[1], v, shape.count[1], shape.sums, columns);
    if (shape.count[2])
        NAME(class)(p, g, &p->class[2], v, shape.count[2], shape.sums, columns);
    for (int c = 0; !shape.count[0] && c < p->classes; c++)
        NAME(class)(p, g, &p->class[c], v, 0, shape.sums, columns);
    ALL for (int h = 0; h < shape.sums; h++) ALL for (int k = 0; k < columns; k++) *
        (V *)(void *)(g->kept[h] + (i + k * LANES) * (long)sizeof(T)) = v[h][k];
    g->u += columns * BYTES;
    g->old += columns * BYTES;
}
INLINE void NAME(keep)(const struct mer_reassociated *p, const struct mer_unroll_at *at, struct group g,
                       struct shape shape) {
    const long lead = lead_of(p, LANES), end = lead + at->n + p->reach;
    long i = 0;
    g.u -= lead * (long)sizeof(T);
    g.old -= lead * (long)sizeof(T);
    for (; i < lead; i += LANES) {
        long first = lead - p->reach - i;
        g.mask = mask_of(first < 0 ? 0 : first, end - i);
        NAME(keep_group)(p, &g, i, shape, 1);
    }
    for (; i + COLUMNS * LANES <= end; i += COLUMNS * LANES) {
        fetch_columns(g.u, g.old, at, COLUMNS * BYTES);
        NAME(keep_group)(p, &g, i, shape, COLUMNS);
    }
    fetch_columns(g.u, g.old, at, COLUMNS * BYTES);
    for (; i < end; i += LANES) {
        g.mask = mask_of(0, end - i);
        NAME(keep_group)(p, &g, i, shape, 1);
    }
}
INLINE void NAME(put_group)(const struct mer_reassociated *p, struct group *g, long i, int parts, int columns,
                            bool stream) {
    V v[COLUMNS];
    T *to = (T *)(void *)g->out;
    const struct part *part = p->part;
    const long size = (long)sizeof(T), from = i + lead_of(p, LANES) - p->reach;
    NAME(load)(v, g->kept[part[0].sum] + (from + part[0].offset) * size, ~0U, columns);
    if (parts)
        WHOLE for (int k = 1; k < parts; k++)
            NAME(add)(v, g->kept[part[k].sum] + (from + part[k].offset) * size, ~0U, columns);
    else
        for (int k = 1; k < p->parts; k++)
            NAME(add)(v, g->kept[part[k].sum] + (from + part[k].offset) * size, ~0U, columns);
    if (columns == 1)
        STORE(to, MASK_OF(g->mask), v[0]);
    else
        ALL for (int k = 0; k < columns; k++) {
            if (stream)
                STREAM(to + k * LANES, v[k]);
            else
                *(V *)(void *)(to + k * LANES) = v[k];
        }
}
INLINE void NAME(put)(const struct mer_reassociated *p, const struct mer_unroll_at *at, struct group g,
                      int parts) {
    const long size = (long)sizeof(T);
    long first = at->stream ? (long)(-(uintptr_t)g.out & (BYTES - 1)) / size : 0, n;
    for (long i = 0; i < at->n; i += n, g.out += n * size) {
        n = i < first ? first : at->n - i < COLUMNS * LANES ? LANES : COLUMNS * LANES;
        g.mask = mask_of(0, at->n - i < n ? at->n - i : n);
        if (n <= LANES)
            NAME(put_group)(p, &g, i, parts, 1, false);
        else if (at->stream)
            NAME(put_group)(p, &g, i, parts, COLUMNS, true);
        else
            NAME(put_group)(p, &g, i, parts, COLUMNS, false);
    }
}

/* Computes rows by the loops of a shape. */
#define ROW(name, a, b, c, sums, parts)                                                                      \
    ROUTINE void NAME(name)(const struct mer_reassociated *p, const struct mer_unroll_at *at) {              \
        const struct shape shape = {{a, b, c}, sums, parts};                                                 \
        struct group g = {.u = at->u, .old = at->out, .out = at->out, .kept = kept[0]}, now;                 \
        for (long row = 0; row < at->rows; row++) {                                                          \
            if (row == 0)                                                                                    \
                NAME(keep)(p, at, g, shape);                                                                 \
            now = g;                                                                                         \
            g.u += p->next;                                                                                  \
            g.old += p->next;                                                                                \
            g.out += p->next;                                                                                \
            g.kept = kept[(row + 1) % 2];                                                                    \
            if (row + 1 < at->rows)                                                                          \
                NAME(keep)(p, at, g, shape);                                                                 \
            NAME(put)(p, at, now, parts);                                                                    \
        }                                                                                                    \
    }
ROW(of_four_four_one, 4, 4, 1, 2, 3)
ROW(of_eight_one, 8, 1, 0, 2, 3)
ROW(of_nine, 9, 0, 0, 1, 3)
ROW(of_two_sums, 0, 0, 0, 2, 0)
ROW(of_any, 0, 0, 0, SUMS, 0)
#undef ROW
static const struct kind NAME(kinds)[] = {{{{4, 4, 1}, 2, 3}, NAME(of_four_four_one)},
                                          {{{8, 1, 0}, 2, 3}, NAME(of_eight_one)},
                                          {{{9, 0, 0}, 1, 3}, NAME(of_nine)},
                                          {{{0, 0, 0}, 2, 0}, NAME(of_two_sums)},
                                          {{{0, 0, 0}, SUMS, 0}, NAME(of_any)}};
