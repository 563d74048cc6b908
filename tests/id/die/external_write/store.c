#include <meridian/id.h>
void store(mer_id_array a, int64_t i) { mer_id_write_int(a, &i, 2); }
