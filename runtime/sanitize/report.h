/* Findings of -fsanitize=pgas: each is told once for the job, by `meridian finding', which knows how to name
 * lines, arrays and elements (crates/launch/src/finding). */
#ifndef MER_SANITIZE_REPORT_H
#define MER_SANITIZE_REPORT_H

#include "sanitize/site.h"

#include <stdbool.h>
#include <stdint.h>

/* Start-up, by the first thread of the host; then by each thread. */
void mer_report_new(void);
void mer_report_start_findings(void);

/* Tells that this thread's access `mine' races with the access `other'; both are cells of the granule with
 * the address `at' (shadow.h). */
void mer_report_race(uint64_t at, uint64_t mine, uint64_t other, bool mine_frees);

/* Tells that this thread's access `mine' is to memory that the free with the cell `other' has freed. */
void mer_report_freed(uint64_t at, uint64_t mine, uint64_t other);

/* Returns how many findings the threads of this host have told. */
unsigned mer_report_count(void);

/* The exit code of a job that would have ended with 0, but has findings. */
#define MER_FINDINGS_CODE 66

#endif
