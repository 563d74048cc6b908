/* Radix sort's permutation in a program that ends its stores by all_store_sync. */
#include "scatter.inc"
