/* The loops of kernel.h for UPC's eleven element types (UPC 7.4.3.1 p2). */
#include "coll/kernel.h"

#define TYPE signed char
#define TYPE_ID C
#define TYPE_NAME "signed char"
#define WIDE unsigned
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE unsigned char
#define TYPE_ID UC
#define TYPE_NAME "unsigned char"
#define WIDE unsigned
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE short
#define TYPE_ID S
#define TYPE_NAME "short"
#define WIDE unsigned
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE unsigned short
#define TYPE_ID US
#define TYPE_NAME "unsigned short"
#define WIDE unsigned
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE int
#define TYPE_ID I
#define TYPE_NAME "int"
#define WIDE unsigned
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE unsigned
#define TYPE_ID UI
#define TYPE_NAME "unsigned"
#define WIDE unsigned
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE long
#define TYPE_ID L
#define TYPE_NAME "long"
#define WIDE unsigned long
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE unsigned long
#define TYPE_ID UL
#define TYPE_NAME "unsigned long"
#define WIDE unsigned long
#define BITS 1
#include "coll/kernel_type.h"

#define TYPE float
#define TYPE_ID F
#define TYPE_NAME "float"
#define WIDE float
#define BITS 0
#include "coll/kernel_type.h"

#define TYPE double
#define TYPE_ID D
#define TYPE_NAME "double"
#define WIDE double
#define BITS 0
#include "coll/kernel_type.h"

#define TYPE long double
#define TYPE_ID LD
#define TYPE_NAME "long double"
#define WIDE long double
#define BITS 0
#include "coll/kernel_type.h"
