/* What PMI-1 and PMI-2 share: the connection to the launcher, its first words, and how long it is waited for.
 * Callers: pmi.c, pmi1.c and pmi2.c, at start-up and at the end, one POSIX thread.
 */
#ifndef MER_BOOT_PMI_H
#define MER_BOOT_PMI_H

#include "boot/service.h"

/* The longest value, with its zero: what both versions carry whole in all launchers.  Slurm announces 1024,
 * and cuts lines of version 1 that are longer than that with all their words. */
#define MER_PMI_VALUE 512
#define MER_PMI_ANSWER 4096 /* bytes of the longest answer, with its zero */

/* How long to wait for the first byte of an answer: of the launcher alone, or of all processes of the job,
 * which may start late. */
enum mer_pmi_wait { MER_PMI_SOON, MER_PMI_WHEN_ALL };

/* Errors are told as a text that lives until the next one; null: all went well. */
const char *mer_pmi_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

const char *mer_pmi_send(const char *bytes, size_t n);
/* Exactly n bytes. */
const char *mer_pmi_receive(char *bytes, size_t n, enum mer_pmi_wait wait);
/* A line of MER_PMI_ANSWER bytes at most, without its end. */
const char *mer_pmi_line(char line[MER_PMI_ANSWER], enum mer_pmi_wait wait);

/* The value of a word NAME=VALUE of an answer whose words are divided by the character `end'; false: there is
 * no such word. */
bool mer_pmi_word(const char *answer, char end, const char *name, char *value, size_t size);

/* The rest of each version's start, behind the first line of the connection, which has agreed on it; rank and
 * size are those that the environment tells, -1 where it does not. */
const char *mer_pmi1_begin(int rank, int size, const struct mer_service **service);
const char *mer_pmi2_begin(int rank, int size, const struct mer_service **service);

#endif
