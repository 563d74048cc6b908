/* A bare `./prog' of several threads starts itself under the launcher. */
#ifndef MER_START_RELAUNCH_H
#define MER_START_RELAUNCH_H

/* Set across the exec, so that a launcher that does not launch is not called for ever. */
#define MER_RELAUNCH_GUARD "MERIDIAN_RELAUNCHED"

/* Become `meridian run -n threads -- program arguments'.  Fatal message if there is no launcher. */
_Noreturn void mer_relaunch(int threads, char **argv);

#endif
