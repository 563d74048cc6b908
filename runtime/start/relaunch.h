/* A bare `./prog' of several threads starts itself under the launcher. */
#ifndef MER_START_RELAUNCH_H
#define MER_START_RELAUNCH_H

/* Become `meridian run -n threads -- program arguments'.  Fatal message if there is no launcher. */
_Noreturn void mer_relaunch(int threads, char **argv);

#endif
