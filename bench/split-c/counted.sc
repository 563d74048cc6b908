/* Radix sort's permutation in a program that waits for the bytes stored, and so counts them. */
#define COUNTED
#include "scatter.inc"
