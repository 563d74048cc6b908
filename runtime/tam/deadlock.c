#include "tam/deadlock.h"

#include "tam/fail.h"
#include "tam/frame.h"
#include "tam/reader.h"

#include <stdio.h>

void tam_stuck(struct tam_frame *frame, uint32_t site) {
    if (tam.deadlock.stuck_count < TAM_SHOWN) {
        tam.deadlock.stuck[tam.deadlock.stuck_count].frame = frame;
        tam.deadlock.stuck[tam.deadlock.stuck_count].site = site;
    }
    tam.deadlock.stuck_count++;
    tam.readers.waiting++;
}

static void say(uint32_t site, const char *text) {
    const struct tam_site *at = &tam.program->sites[site];
    if (tam.deadlock.shown++ < TAM_SHOWN)
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
    tam_readers_visit(say_reader);
    for (unsigned i = 0; i < tam.deadlock.stuck_count && i < TAM_SHOWN; i++)
        say(tam.deadlock.stuck[i].site, "this needs its own value, and waits for ever");
    if (of_frames)
        tam_frames_visit(say_frame);
    if (tam.deadlock.shown > TAM_SHOWN)
        fprintf(stderr, "and %u more on processor %d\n", tam.deadlock.shown - TAM_SHOWN, tam.me);
    fflush(stderr);
}

_Noreturn void tam_deadlock(uint64_t waiting) {
    fflush(stdout);
    fprintf(stderr, "error: deadlock: the program cannot go on, and %llu %s\n", (unsigned long long)waiting,
            waiting == 1 ? "read waits" : "reads wait");
    report(waiting == 0);
    for (int p = 1; p < tam.processors; p++) {
        tam.deadlock.told = 0;
        MER_AM_REQUEST(p, tam.deadlock.h_report, waiting == 0);
        MER_AM_WAIT_UNTIL(tam.deadlock.told);
    }
    tam_fail_stop(1);
}

static void on_told(struct mer_am_message *m) {
    (void)m;
    tam.deadlock.told = 1;
}

static void on_report(struct mer_am_message *m) {
    report(m->args[0] != 0);
    MER_AM_REPLY(m, tam.deadlock.h_told, 0);
}

void tam_deadlock_register(void) {
    tam.deadlock.h_report = mer_am_register(on_report);
    tam.deadlock.h_told = mer_am_register(on_told);
}
