/* The threaded abstract machine under Id90: the costs of its forks, posts, fetches and stores, compared with
 * a round trip of active messages.
 *
 * After von Eicken's tables 6-3 and 6-4. There is one code-block, written as `meridian cc` writes one, with
 * the points as its threads. Processor 0 runs it. The last processor owns an array that processor 0 fetches
 * from, and waits in its scheduler, as a processor without work does. A fetch from another processor of this
 * host is a load if the element may be read by loads; that of a mutable element, which only its owner reads,
 * is a message as between hosts. */
#include <meridian/abi/abi.h>
#include <meridian/am.h>
#include <meridian/abi/tam.h>

/* Processor 0 alone measures. */
#define MEASURE_THREAD 0
#define MEASURE_BARRIER() ((void)0)
#define MEASURE_FIRST(value) (value)
#include "../measure.h"

#define GROUP 16   /* forks, posts or accesses in a turn */
#define STORES 512 /* elements of an array that is filled in a turn */

/* Threads; those without a name do nothing. */
enum thread {
    NOTHING,
    NEXT,
    FORKS,
    FORKS_LAST,
    FORKS_WAIT,
    POSTS,
    POSTS_LAST,
    POSTS_WAIT,
    FETCHES,
    FETCHES_POST,
    STORES_EMPTY,
    FETCH_FAR,
    MESSAGES,
    THREADS_ALL
};
/* Entry counts. */
enum counter { LAST, WAITS, COUNTERS };
/* Slots: received values, and arrays of this processor, which the collector finds here. */
enum slot { VALUE, HERE, EMPTY, SLOTS };
/* Inlets. */
enum inlet { I_NOTHING, I_LAST, I_WAITS, I_POSTS, I_POSTS_LAST, I_POSTS_WAIT, I_FETCHES_POST, I_FETCH_FAR };

static struct {
    int now, round, rounds, warm, calibrating;
    long left;
    double start, wanted;
    double own; /* nanoseconds that a thread has timed itself, or less than 0 */
    int ran;
} state;
static int thread_of[16]; /* by point */
static tam_word far;      /* the other processor's array */
static int h_make, h_made, h_ping, h_pong;
static long pongs;

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Makes an array whose elements are full. */
static tam_word array_of(int is_mutable) {
    tam_word array = tam_array(1, is_mutable, (const int64_t[]){0, GROUP - 1}, 0);
    for (int i = 0; i < GROUP; i++)
        tam_put(NULL, array, TAM_I, 1, i, 0, 0, (tam_word)i, 0);
    return array;
}

static void on_make(struct mer_am_message *m) {
    tam_word array = array_of(1);
    tam_export(array);
    MER_AM_REPLY(m, h_made, array);
}
static void on_made(struct mer_am_message *m) { far = m->args[0]; }
static void on_ping(struct mer_am_message *m) { MER_AM_REPLY(m, h_pong, 0); }
static void on_pong(struct mer_am_message *m) {
    (void)m;
    pongs++;
}

static void round_trips(long turns) {
    while (turns--) {
        long before = pongs;
        MER_AM_REQUEST((int)tam_processors() - 1, h_ping, 0);
        MER_AM_WAIT_UNTIL(pongs != before);
    }
}

/* ---- samples ------------------------------------------------------------------------------------------- */

/* Resets the array to the state of a new one. */
static void make_empty(tam_word array) { memset(tam_elements(tam_at(array)) + STORES, TAM_EMPTY, STORES); }

static void make_arrays(tam_word *s) {
    s[HERE] = array_of(0);
    s[EMPTY] = tam_array(1, 0, (const int64_t[]){0, STORES - 1}, 0);
    MER_AM_REQUEST((int)tam_processors() - 1, h_make, 0);
    MER_AM_WAIT_UNTIL(far != 0);
}

static double took(void) {
    double ns = state.own >= 0 ? state.own : measure_clock() - state.start;
    state.own = -1;
    return ns;
}

/* Ends a sample, as in probe_main. Returns the thread of the next one, or NOTHING at the end. */
static int next_sample(void) {
    struct point *p = &probe_points[state.now];
    double ns = state.ran ? took() : 0;
    if (state.ran && !state.warm && state.calibrating) {
        if (ns < state.wanted / 4)
            p->turns *= 2;
        else {
            p->turns = (long)((double)p->turns * (state.wanted / ns)) + 1;
            state.now++;
        }
    } else if (state.ran && !state.warm) {
        probe_print(p, state.round, ns);
        state.now++;
    }
    if (state.now == probe_many) {
        state.round += !state.calibrating;
        state.calibrating = state.now = 0;
        fflush(stdout);
    }
    if (state.round == state.rounds)
        return NOTHING;
    state.warm = !state.ran || !state.warm;
    state.ran = 1;
    state.left = state.warm ? 1 : probe_points[state.now].turns;
    state.start = measure_clock();
    return thread_of[state.now];
}

/* ---- the code-block ------------------------------------------------------------------------------------ */

/* The last thread pushed runs first. */
#define PUSH(thread) lcv[top++] = (thread)
#define AGAIN(thread)                                                                                        \
    if (state.left-- == 0) {                                                                                 \
        PUSH(NEXT);                                                                                          \
        goto next;                                                                                           \
    }                                                                                                        \
    PUSH(thread)
#define EACH(statement)                                                                                      \
    for (int i = 0; i < GROUP; i++) {                                                                        \
        statement;                                                                                           \
        MEASURE_FORGET();                                                                                    \
    }

static void run(struct tam_frame *f) {
    tam_word *const s = f->s;
    uint16_t *const c = f->c;
    static const void *const at[] = {&&nothing,      &&next_point, &&forks,      &&forks_last, &&forks_wait,
                                     &&posts,        &&posts_last, &&posts_wait, &&fetches,    &&fetches_post,
                                     &&stores_empty, &&fetch_far,  &&messages};
    uint16_t lcv[THREADS_ALL + 2 * GROUP];
    unsigned top;
    const tam_word self = tam_frame_word(f);
quantum:
    top = tam_take(f, lcv);
    if (!top)
        return;
next:
    if (!top)
        goto quantum;
    goto *at[lcv[--top]];
nothing : { goto next; }
next_point : {
    if (!state.ran)
        make_arrays(s);
    int thread = next_sample();
    if (thread != NOTHING)
        PUSH((uint16_t)thread);
    goto next;
}
forks : {
    AGAIN(FORKS);
#pragma GCC unroll 16
    EACH(PUSH(NOTHING))
    goto next;
}
forks_last : {
    AGAIN(FORKS_LAST);
#pragma GCC unroll 16
    EACH(c[LAST] = 1; MEASURE_FORGET(); if (--c[LAST] == 0) PUSH(NOTHING))
    goto next;
}
forks_wait : {
    AGAIN(FORKS_WAIT);
    c[WAITS] = GROUP + 1;
#pragma GCC unroll 16
    EACH(if (--c[WAITS] == 0) PUSH(NOTHING))
    goto next;
}
posts : {
    if (state.left-- == 0)
        goto over;
    f->outstanding += GROUP + 1;
    EACH(tam_send(self, I_NOTHING, (tam_word)i))
    tam_send(self, I_POSTS, 0);
    goto next;
}
posts_last : {
    if (state.left-- == 0)
        goto over;
    f->outstanding += GROUP + 1;
    EACH(c[LAST] = 1; tam_send(self, I_LAST, (tam_word)i))
    tam_send(self, I_POSTS_LAST, 0);
    goto next;
}
posts_wait : {
    if (state.left-- == 0)
        goto over;
    f->outstanding += GROUP + 1;
    c[WAITS] = GROUP + 1;
    EACH(tam_send(self, I_WAITS, (tam_word)i))
    tam_send(self, I_POSTS_WAIT, 0);
    goto next;
}
fetches : {
    AGAIN(FETCHES);
    tam_word here = s[HERE], sum = 0, value = 0;
    EACH(if (!tam_element_here(here, 1, i, 0, 0, &value)) abort(); sum += value)
    measure_sink = (double)sum;
    goto next;
}
fetches_post : {
    if (state.left-- == 0)
        goto over;
    const tam_word here = s[HERE];
    EACH(tam_fetch(f, I_NOTHING, here, TAM_I, 1, i, 0, 0, 0))
    tam_fetch(f, I_FETCHES_POST, here, TAM_I, 1, 0, 0, 0, 0);
    goto next;
}
stores_empty : {
    const tam_word empty = s[EMPTY];
    double ns = 0;
    for (long turn = state.left; turn > 0; turn--) {
        make_empty(empty);
        double start = measure_clock();
        for (int i = 0; i < STORES; i++) {
            tam_put(NULL, empty, TAM_I, 1, i, 0, 0, (tam_word)i, 0);
            MEASURE_FORGET();
        }
        ns += measure_clock() - start;
    }
    state.own = ns;
    goto over;
}
fetch_far : {
    if (state.left-- == 0)
        goto over;
    tam_fetch(f, I_FETCH_FAR, far, TAM_EXAMINE, 1, state.left % GROUP, 0, 0, 0);
    goto next;
}
messages : {
    round_trips(state.left);
    goto over;
}
over : {
    PUSH(NEXT);
    goto next;
}
}

/* ---- the program --------------------------------------------------------------------------------------- */

static const struct tam_target targets[] = {
    {NOTHING, TAM_NONE},      {NOTHING, LAST},        {NOTHING, WAITS},
    {POSTS, TAM_NONE},        {POSTS_LAST, TAM_NONE}, {POSTS_WAIT, TAM_NONE},
    {FETCHES_POST, TAM_NONE}, {FETCH_FAR, TAM_NONE},  {NEXT, TAM_NONE}};
static const struct tam_inlet inlets[] = {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {0, 3, 1},
                                          {0, 4, 1}, {0, 5, 1}, {0, 6, 1}, {0, 7, 1}};
static const uint16_t counts[COUNTERS] = {1, 1};
static const uint8_t late[1];
/* The vectors have room for as many entries of a thread as are posted in a turn. */
static const struct tam_codeblock codeblock = {.name = "probe",
                                               .slots = SLOTS,
                                               .counters = COUNTERS,
                                               .threads = THREADS_ALL + 2 * GROUP,
                                               .io = 1,
                                               .is_late = late,
                                               .counts = counts,
                                               .inlets = inlets,
                                               .targets = targets,
                                               .entry = {TAM_NONE, 8, 1},
                                               .run = run};
static const struct tam_codeblock *const codeblocks[] = {&codeblock};
static const struct tam_site sites[] = {{"tam.c", 0}};
static const struct tam_text texts[] = {{"", 0}};
static const struct tam_program program = {codeblocks, 1, &codeblock, sites, texts};

static void add(const char *series, int thread, double operations) {
    probe_add((struct point){.part = "tam", .series = series, .operations = operations, .turns = 1});
    thread_of[probe_many - 1] = thread;
}

/* Adds the points. Those that need no other processor are measured once, as in the other probes. */
static void add_tam(void) {
    if (!probe_messages) {
        add("fork", FORKS, GROUP + 1);
        add("fork, successful", FORKS_LAST, GROUP);
        add("fork, unsuccessful", FORKS_WAIT, GROUP);
        add("post, running frame", POSTS, GROUP + 1);
        add("post, running frame, successful", POSTS_LAST, GROUP);
        add("post, running frame, unsuccessful", POSTS_WAIT, GROUP);
        add("ifetch, local and full", FETCHES, GROUP);
        add("ifetch, local, with its post", FETCHES_POST, GROUP + 1);
        add("istore, local and empty", STORES_EMPTY, STORES);
    }
    add("ifetch, remote", FETCH_FAR, 1);
    add("message round trip", MESSAGES, 1);
}

int main(int argc, char **argv) {
    if (argc != 6 || !probe_named(argv[1], "tam")) {
        fprintf(stderr, "usage: %s tam ROUNDS NANOSECONDS full|quick loads|messages\n", argv[0]);
        return 2;
    }
    state.rounds = atoi(argv[2]);
    state.wanted = atof(argv[3]);
    state.calibrating = 1;
    state.own = -1;
    probe_messages = strcmp(argv[5], "messages") == 0;
    add_tam();
    h_make = mer_am_register(on_make);
    h_made = mer_am_register(on_made);
    h_ping = mer_am_register(on_ping);
    h_pong = mer_am_register(on_pong);
    return tam_main(&program, argc, argv);
}
