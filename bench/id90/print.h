/* Prints a number as Id programs do: with as few digits as tell it from all others. */
#ifndef BENCH_ID90_PRINT_H
#define BENCH_ID90_PRINT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(double value) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    printf("%s%s", text, strpbrk(text, ".en") ? "" : ".0");
}

#endif
