#include <meridian/id.h>
void look(mer_id_array a, int64_t i) {
    int64_t value;
    mer_id_read_int(a, &i, &value);
}
