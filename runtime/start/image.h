/* The image's part in start-up: checking the records that compiled files left, placing static shared objects
 * and giving them their first values.  The order is start.c's. */
#ifndef MER_START_IMAGE_H
#define MER_START_IMAGE_H

#include <stdint.h>

/* Returns the THREADS that the files of this program were compiled for, or 0 if that is dynamic or there is
 * no UPC file.  Fatal message if two files disagree or were compiled for another ABI. */
int mer_image_static_threads(const char **file);

/* Returns where the program's own static objects end in each thread's part, or 0 if none are shared. */
uint64_t mer_image_low(void);

/* Map the section mer_shared onto this thread's own part of the job's memory; if everything is addressable,
 * all other statics of the program too. */
void mer_image_map(void);

/* Give the objects of libraries, and every object too large for its image, their places.  Returns the first
 * address after these and after the space for libraries that are opened later.  Every thread computes the
 * same. */
uint64_t mer_image_place(void);

/* Store pointers-to-shared into initialised private objects, and scatter this thread's part of initialised
 * shared objects. */
void mer_image_initialise(void);

#endif
