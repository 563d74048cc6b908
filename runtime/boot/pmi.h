/* The common part of PMI-1 and PMI-2: the connection to the launcher, the choice of the version, and
 * timeouts.  Callers: pmi.c, pmi1.c and pmi2.c, at start-up and at the end, from one POSIX thread.
 */
#ifndef MER_BOOT_PMI_H
#define MER_BOOT_PMI_H

#include "boot/service.h"

/* The longest value, with its zero, that all launchers carry whole in both versions.  Slurm announces 1024,
 * but cuts lines of version 1 that are longer than that with all their words. */
#define MER_PMI_VALUE 512
#define MER_PMI_ANSWER 4096 /* bytes of the longest answer, with its zero */

/* How long to wait for the first byte of an answer: for the launcher alone, or for all processes of the job,
 * which may start late. */
enum mer_pmi_wait { MER_PMI_SOON, MER_PMI_WHEN_ALL };

/* Makes the text of an error, which is valid until the next one.  The functions below return such a text, or
 * null if all went well. */
const char *mer_pmi_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

const char *mer_pmi_send(const char *bytes, size_t n);
/* Receive exactly n bytes. */
const char *mer_pmi_receive(char *bytes, size_t n, enum mer_pmi_wait wait);
/* Receive a line of MER_PMI_ANSWER bytes at most, without its end. */
const char *mer_pmi_line(char line[MER_PMI_ANSWER], enum mer_pmi_wait wait);

/* Write the value of a word NAME=VALUE of an answer whose words are divided by the character `end'.  Returns
 * false if there is no such word. */
bool mer_pmi_word(const char *answer, char end, const char *name, char *value, size_t size);

/* The rest of each version's start, after the first line of the connection, which has agreed on the version.
 * rank and size come from the environment or the connection, and are -1 if they are not known. */
const char *mer_pmi1_begin(int rank, int size, const struct mer_service **service);
const char *mer_pmi2_begin(int rank, int size, const struct mer_service **service);

#endif
