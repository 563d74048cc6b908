/* The beginning and the end of a program.
 *
 * Processor 0 begins the main activation.  When it has nothing to do it asks all others whether they are idle
 * and no message is under way (rounds.c).  If so, the program has ended, or its remaining activations wait
 * for ever.
 */
#include "base/clock.h"
#include "base/fatal.h"
#include "base/settings.h"
#include "host/job.h"
#include "start/finish.h"
#include "sync/barrier.h"
#include "tam/count.h"
#include "tam/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHOWN 8 /* waiting reads that are reported */
/* Nanoseconds for which a processor that has nothing to do polls for requested values, before it asks for
 * work: more than a round trip takes, within the host and to another. */
#define SOON 3000
#define SOON_FROM_OTHER_HOSTS 60000
/* Nanoseconds for which it then waits for work before it sleeps: several times as long as it takes to fall
 * asleep and to be woken, during which others do work that it could have had. */
#define AWAKE 300000
#define POLLS 200 /* of processor 0 for work, from one question whether all has ended to the next */

static int h_halt, h_report;
static struct {
    struct tam_frame *frame;
    uint32_t site;
} stuck[SHOWN];
static uint64_t stuck_count;
static volatile int told;

/* ---- ends ---------------------------------------------------------------------------------------------- */

_Noreturn void tam_stop(int status) { mer_finish_all(status); }

_Noreturn void tam_fail(uint32_t site, const char *format, ...) {
    va_list args;
    char text[1024];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    if (tam.program && site)
        fprintf(stderr, "%s:%u: error: %s\n", tam.program->sites[site].file, tam.program->sites[site].line,
                text);
    else
        fprintf(stderr, "error: %s\n", text);
    tam_stop(1);
}

void tam_stuck(struct tam_frame *frame, uint32_t site) {
    if (stuck_count < SHOWN) {
        stuck[stuck_count].frame = frame;
        stuck[stuck_count].site = site;
    }
    stuck_count++;
    tam.deferred++;
}

/* ---- deadlocks ----------------------------------------------------------------------------------------- */

static unsigned shown;

static void say(uint32_t site, const char *text) {
    const struct tam_site *at = &tam.program->sites[site];
    if (shown++ < SHOWN)
        fprintf(stderr, "%s:%u: %s\n", at->file, at->line, text);
}

static void say_reader(struct tam_object *object, uint32_t at, struct tam_deferred *reader) {
    char text[256], where[96] = "";
    const struct tam_site *made = &tam.program->sites[object->site];
    const int64_t *b = (const int64_t *)object->v;
    if (object->dims == 1 && b[0] == TAM_SLOTS) {
        say(reader->site,
            "a pass of this loop waits for the end of an earlier pass: `bound' allows no more active passes");
        return;
    }
    int64_t n1 = object->dims > 1 ? b[3] - b[2] + 1 : 1, n2 = object->dims > 2 ? b[5] - b[4] + 1 : 1;
    if (object->dims == 1)
        snprintf(where, sizeof where, "element [%lld] of the array", (long long)(b[0] + at));
    else if (object->dims == 2)
        snprintf(where, sizeof where, "element [%lld,%lld] of the array", (long long)(b[0] + at / n1),
                 (long long)(b[2] + at % n1));
    else if (object->dims == 3)
        snprintf(where, sizeof where, "element [%lld,%lld,%lld] of the array",
                 (long long)(b[0] + at / (n1 * n2)), (long long)(b[2] + at / n2 % n1),
                 (long long)(b[4] + at % n2));
    else
        snprintf(where, sizeof where, "field %u of the value", at + 1);
    bool mutable = reader->mode == TAM_TAKE || reader->mode == TAM_EXAMINE;
    const char *how = !mutable ? "read" : reader->mode == TAM_TAKE ? "take" : "examine";
    snprintf(text, sizeof text, "this waits to %s %s made at %s:%u, which is never %s", how, where,
             made->file, made->line, mutable ? "put" : "written");
    say(reader->site, text);
}

static void say_frame(struct tam_frame *frame) {
    char text[256];
    snprintf(text, sizeof text, "`%s' has begun and waits for %u %s", frame->codeblock->name,
             frame->outstanding, frame->outstanding == 1 ? "value" : "values");
    say(frame->codeblock->site, text);
}

/* Prints the reads that wait here; with `of_frames', if no processor has such a read, the activations. */
static void report(bool of_frames) {
    fflush(stdout);
    tam_each_deferred(say_reader);
    for (unsigned i = 0; i < stuck_count && i < SHOWN; i++)
        say(stuck[i].site, "this needs its own value, and waits for ever");
    if (of_frames)
        tam_each_frame(say_frame);
    if (shown > SHOWN)
        fprintf(stderr, "and %u more on processor %d\n", shown - SHOWN, tam.me);
    fflush(stderr);
}

static void deadlock(uint64_t waiting) {
    fflush(stdout);
    fprintf(stderr, "error: deadlock: the program cannot go on, and %llu %s\n", (unsigned long long)waiting,
            waiting == 1 ? "read waits" : "reads wait");
    report(waiting == 0);
    for (int p = 1; p < tam.processors; p++) {
        told = 0;
        MER_AM_REQUEST(p, h_report, waiting == 0);
        MER_AM_WAIT_UNTIL(told);
    }
    tam_stop(1);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

struct tam_counts tam_end_counts(void) {
    return (struct tam_counts){tam.sent, tam.received, tam.deferred, tam.frames,
                               tam.busy || tam.head || tam.first};
}

static void on_halt(struct mer_am_message *m) {
    (void)m;
    tam.halted = true;
}

static void on_told(struct mer_am_message *m) {
    (void)m;
    told = 1;
}
static int h_told;

static void on_report(struct mer_am_message *m) {
    report(m->args[0] != 0);
    MER_AM_REPLY(m, h_told, 0);
}

static bool has_to_do(void) { return tam.head || tam.first || tam_collect_due; }

/* Polls for so long.  Returns whether there is something to do, or the program has ended. */
static bool comes_within(uint64_t ns) {
    if (mer_here.oversubscribed)
        return false;
    uint64_t until = 0, now = 0;
    do {
        for (int polls = 0; polls < 32; polls++)
            if (mer_am_poll() && has_to_do())
                return true;
        now = mer_clock_ns();
        if (!until)
            until = now + ns;
    } while (!tam.halted && now < until);
    return tam.halted;
}

/* Returns whether something to do comes soon.  Mostly that is the answer to a read, and the questions of an
 * idle processor must not delay the thread that waits for it. */
static bool comes_soon(void) {
    return comes_within(tam.processors == mer_job.here ? SOON : SOON_FROM_OTHER_HOSTS);
}

/* Nothing is ready here.  Waits until something is, or the program has ended. */
void tam_wait_or_finish(void) {
    tam.busy = false;
    if (tam.processors > 1 && comes_soon()) {
        tam.busy = true;
        return;
    }
    if (tam.me != 0) {
        tam_ask_for_work();
        if (!comes_within(AWAKE))
            MER_AM_WAIT_UNTIL(tam.halted || has_to_do());
        tam.busy = true;
        return;
    }
    if (tam.processors > 1)
        tam_ask_for_work();
    struct tam_counts end = tam_end_counts();
    unsigned pause = 20;
    while (tam.processors > 1 && !tam_quiet(TAM_ROUND_END, 0, &end)) {
        if (has_to_do()) {
            tam.busy = true;
            return;
        }
        /* The others compute, and soon send activations that they can give away. */
        for (int polls = 0; polls < POLLS && !has_to_do(); polls++)
            mer_am_poll();
        if (!has_to_do())
            usleep(pause);
        pause = pause < 500 ? 2 * pause : pause;
        mer_am_poll();
    }
    if (end.waiting > 0 || end.frames > 0)
        deadlock(end.waiting);
    tam.halted = true;
    for (int p = 1; p < tam.processors; p++)
        MER_AM_REQUEST(p, h_halt, 0);
}

/* ---- the program --------------------------------------------------------------------------------------- */

static void register_all(void) {
    tam_register();
    tam_rounds_register();
    tam_collect_register();
    tam_external_register();
    h_halt = mer_am_register(on_halt);
    h_report = mer_am_register(on_report);
    h_told = mer_am_register(on_told);
}

int tam_main(const struct tam_program *program, int argc, char **argv) {
    tam.program = program;
    tam.me = MER_MYTHREAD;
    tam.processors = mer_job.threads;
    tam.argc = argc;
    tam.argv = argv;
    tam.place = (int)mer_setting(TAM_DEAL) && tam.processors > 1;
    tam.turn = tam.me;
    if (mer_setting(TAM_ORDER))
        tam.order = (uint64_t)mer_setting(TAM_ORDER) * 2654435761u + (uint64_t)tam.me * 40503u;
    tam_registers.here = (tam_word)tam.me << 48;
    tam_registers.local_first = (tam_word)mer_job.here_first << 48;
    tam_registers.local_count = (tam_word)mer_job.here << 48;
    tam_storage_start();
    tam_collect_start(__builtin_frame_address(0));
    if (tam.processors > 32767)
        mer_fatal("Id programs run on at most 32767 processors");
    tam_count_start();
    register_all();
    tam_direct_start();
    tam_collect_exchange("the program");
    if (tam.me == 0) {
        tam_word none[1] = {0};
        tam_begin(NULL, program->main, none, 0, 0);
    }
    tam_schedule();
    mer_finish_flush();
    mer_barrier_collective("the program");
    return 0;
}
