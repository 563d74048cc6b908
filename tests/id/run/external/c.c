#include <meridian/id.h>
#include <stdbool.h>

int64_t times_two(int64_t n) { return 2 * n; }

bool is_vowel(int c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

int following(int c) { return c + 1; }

void squares(mer_id_array a, int64_t n) {
    for (int64_t i = mer_id_lower(a, 0); i <= n; i++)
        mer_id_write_int(a, &i, i * i);
}

/* Elements that are not there yet are ignored: the program has to wait before the call. */
void total(mer_id_array m, mer_id_array r) {
    double sum = 0, value;
    for (int64_t i = mer_id_lower(m, 0); i <= mer_id_upper(m, 0); i++)
        for (int64_t j = mer_id_lower(m, 1); j <= mer_id_upper(m, 1); j++)
            if (mer_id_read_float(m, (int64_t[]){i, j}, &value))
                sum += value;
    mer_id_write_float(r, (int64_t[]){1}, sum);
}

void count_up(mer_id_array m) {
    int64_t i = 1, value, more;
    if (mer_id_take_int(m, &i, &value) && !mer_id_read_int(m, &i, &more) && !mer_id_take_int(m, &i, &more))
        mer_id_write_int(m, &i, value + 1);
}

void dimensions(mer_id_array a, mer_id_array r) {
    int64_t zero = 0, nothing = 5;
    if (!mer_id_read_int(a, (int64_t[]){0, 1, -1}, &nothing) && nothing == 5)
        mer_id_write_int(r, &zero, mer_id_dims(a) + mer_id_upper(a, 2) - mer_id_lower(a, 2) + 1);
}
