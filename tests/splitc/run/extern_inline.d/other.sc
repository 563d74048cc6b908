#include "inline.h"
of_other_file() { return power(3, 4); }
