/* Arrays in functions of C that a program calls (meridian/id.h).
 *
 * Arrays of this processor are looked up here, and words that do not change any more if they lie on this
 * host.  For all others the owner is asked by message, whose handler answers at once: whether the element is
 * there, and its value.  So a function waits for no other, and only handlers run while it waits
 * for the answer. */
#include "tam/external.h"

#include "tam/heap.h"

#include <meridian/id.h>

#define DIMS 3

static void on_ask(struct mer_am_message *m) {
    int64_t index[DIMS] = {(int64_t)m->args[2], (int64_t)m->args[3], (int64_t)m->args[4]};
    tam_word value = 0;
    int full = tam_element_try(m->args[0], (enum tam_mode)(m->args[1] & 15), index,
                               (uint32_t)(m->args[1] >> 32), &value);
    MER_AM_REPLY(m, tam.external.h_answer, (mer_u64)full, value);
}

static void on_answer(struct mer_am_message *m) {
    tam.external.there = (int)m->args[0];
    tam.external.answer = m->args[1];
    tam.external.answered = 1;
}

void tam_external_register(void) {
    tam.external.h_ask = mer_am_register(on_ask);
    tam.external.h_answer = mer_am_register(on_answer);
}

static int ask(mer_id_array array, enum tam_mode mode, const int64_t *index, tam_word *value) {
    /* Words that do not change any more may be read by other processors of the host. */
    if (tam_is_here(array) ||
        (tam_is_local(array) &&
         (mode == TAM_BOUND || (mode == TAM_I && !(tam_at(array)->kind & TAM_MUTABLE)))))
        return tam_element_try(array, mode, index, tam_registers.external_site, value);
    tam.external.answered = 0;
    MER_AM_REQUEST((int)(array >> 48), tam.external.h_ask, array,
                   (mer_u64)mode | (mer_u64)tam_registers.external_site << 32, (mer_u64)index[0],
                   (mer_u64)index[1], (mer_u64)index[2]);
    MER_AM_WAIT_UNTIL(tam.external.answered);
    if (tam.external.there)
        *value = tam.external.answer;
    return tam.external.there;
}

static tam_word bound(mer_id_array array, int64_t number) {
    int64_t index[DIMS] = {number, 0, 0};
    tam_word value = 0;
    ask(array, TAM_BOUND, index, &value);
    return value;
}

int mer_id_dims(mer_id_array array) { return (int)bound(array, -1); }

static int64_t bound_of(mer_id_array array, int d, int upper) {
    int dims = mer_id_dims(array);
    if (d < 0 || d >= dims)
        tam_fail(tam_registers.external_site,
                 "the bounds of dimension %d are asked for, but the array has %d dimensions", d, dims);
    return (int64_t)bound(array, 2 * d + upper);
}

int64_t mer_id_lower(mer_id_array array, int d) { return bound_of(array, d, 0); }
int64_t mer_id_upper(mer_id_array array, int d) { return bound_of(array, d, 1); }

/* Copies the numbers that an index has, and zeros after them; returns the number of dimensions. */
static unsigned indices(mer_id_array array, const int64_t *index, int64_t *all) {
    unsigned dims = (unsigned)mer_id_dims(array);
    for (unsigned d = 0; d < DIMS; d++)
        all[d] = d < dims ? index[d] : 0;
    return dims;
}

static void put(mer_id_array array, const int64_t *index, tam_word value) {
    int64_t all[DIMS];
    unsigned dims = indices(array, index, all);
    tam_store(NULL, array, TAM_I, dims, all[0], all[1], all[2], value, tam_registers.external_site);
}

static int get_int(mer_id_array array, enum tam_mode mode, const int64_t *index, int64_t *value) {
    int64_t all[DIMS];
    tam_word word;
    indices(array, index, all);
    int full = ask(array, mode, all, &word);
    if (full)
        *value = (int64_t)word;
    return full;
}

static int get_float(mer_id_array array, enum tam_mode mode, const int64_t *index, double *value) {
    int64_t word;
    int full = get_int(array, mode, index, &word);
    if (full)
        *value = tam_f((tam_word)word);
    return full;
}

int mer_id_read_int(mer_id_array array, const int64_t *index, int64_t *value) {
    return get_int(array, TAM_I, index, value);
}

int mer_id_read_float(mer_id_array array, const int64_t *index, double *value) {
    return get_float(array, TAM_I, index, value);
}

int mer_id_take_int(mer_id_array array, const int64_t *index, int64_t *value) {
    return get_int(array, TAM_TAKE, index, value);
}

int mer_id_take_float(mer_id_array array, const int64_t *index, double *value) {
    return get_float(array, TAM_TAKE, index, value);
}

void mer_id_write_int(mer_id_array array, const int64_t *index, int64_t value) {
    put(array, index, (tam_word)value);
}

void mer_id_write_float(mer_id_array array, const int64_t *index, double value) {
    put(array, index, tam_w(value));
}
