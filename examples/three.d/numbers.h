/* The numbers that all files of the program work on, in each file's own dialect.
 *
 * A pointer to the first of them is the same 8 bytes in all four: the processor and its address (mer_ptr,
 * which meridian/am.h declares for a plain C file). A step goes on to the next processor in all three
 * dialects alike. Hence it can be passed from one to another as an argument or result, without a
 * conversion.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#if defined(NUMBERS_FOR_C) /* a .c file that contains a word of UPC would be UPC */
#include <meridian/am.h>
typedef mer_ptr numbers;
#elif defined(__UPC__)
typedef shared int *numbers;
#elif defined(__SPLITC__)
typedef int *spread numbers;
#elif defined(__AC__)
typedef dist int *numbers;
#endif

/* UPC: n numbers, one by one on successive threads; collective. Returns null if there is no memory. */
numbers allocate(int n);
void release(numbers p);

/* Split-C: stores 3 * i + 7 to element i of n, for all i; collective. */
void fill(numbers p, int n);

/* AC: the sum of n numbers, by one pointer that goes over all of them. */
long walk(numbers p, int n);

/* AC: the address of element i in its owner's memory. */
int *local_address(numbers p, int i);

#endif
