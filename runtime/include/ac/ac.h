/* AC: the Cray T3D's calls that keep a processor's cache in step with memory that others write.  Here caches
 * are coherent; the calls are accepted and do nothing.  AC programs need no header otherwise. */
#ifndef AC_AC_H
#define AC_AC_H

#define cache_invalid_on() ((void)0)
#define cache_invalid_off() ((void)0)
#define line_invalid_on(address) ((void)(address))

#endif
