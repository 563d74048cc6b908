/* Split-C: the header that old programs include for barriers, reductions, scans and broadcasts. */
#ifndef SPLIT_C_COM_H
#define SPLIT_C_COM_H

#include <split-c/split-c.h>

#endif
