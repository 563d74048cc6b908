/* A depth-first search by all processes or threads, with work stealing; for programs with MPI and with
 * OpenMP. Before the include they define the type `item' of work, and the counters:
 *
 *     struct tally, and POLL: the number of items between polls for messages
 *     static void expand(struct stack *s, struct tally *t)    takes the last item, counts it, and pushes its
 *                                                             successors onto the stack
 *     static void add(struct tally *all, const struct tally *t)
 *
 * search_together(s, t) does all items on the stack of process 0, and counts in each process's t. */
#ifndef KERNELS_STEALING_H
#define KERNELS_STEALING_H

#ifdef WITH_MPI
enum { ASK, WORK, TOKEN, END };

/* A process without work asks another, which answers with half of its stack, or with nothing. Termination is
 * detected by a token that circulates (Dijkstra, Feijen and van Gasteren): a process passes it on when it has
 * no work and waits for no answer, and blackens it if it has given work away since it last had the token. */
static item parcel[MOST_SHARED];
static bool asked, ended;       /* an answer is outstanding; process 0 has announced the end */
static bool here, token, black; /* the token is here, is black; this process is */
static int victim;              /* the process that was asked last */

static void answer(struct stack *s, int to) {
    long n = can_share(s) ? take_lower(s, parcel) : 0;
    black |= n > 0;
    MPI_Send(parcel, (int)(n * sizeof *parcel), MPI_BYTE, to, WORK, MPI_COMM_WORLD);
}

static void receive_work(struct stack *s, MPI_Status *status) {
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    item *to = reserve(s, bytes / (int)sizeof *to);
    MPI_Recv(to, bytes, MPI_BYTE, status->MPI_SOURCE, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    s->top += bytes / (int)sizeof *to;
    asked = false;
}

static void take_message(struct stack *s, MPI_Status *status) {
    int from = status->MPI_SOURCE, colour = 0;
    if (status->MPI_TAG == WORK) {
        receive_work(s, status);
        return;
    }
    MPI_Recv(&colour, 1, MPI_INT, from, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status->MPI_TAG == ASK)
        answer(s, from);
    else if (status->MPI_TAG == TOKEN)
        here = true, token = colour;
    else
        ended = true;
}

/* Handles all messages that have arrived. */
static void attend(struct stack *s) {
    MPI_Status status;
    int there = 1;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status), there)
        take_message(s, &status);
}

static void send_number(int number, int to, int tag) {
    MPI_Send(&number, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

/* `token' begins as black, so that process 0 first sends a white token instead of announcing the end. */
static void pass_token(void) {
    if (rank == 0 && !token && !black) {
        ended = true;
        for (int p = 1; p < processes; p++)
            send_number(0, p, END);
        return;
    }
    send_number(rank > 0 && (token || black), (rank + 1) % processes, TOKEN);
    here = black = false;
}

/* Looks for work until this process has some. Returns false if no process has any. */
static bool get_work(struct stack *s) {
    while (s->top == 0 && !ended && processes > 1) {
        if (here && !asked)
            pass_token();
        if (!asked && !ended) {
            victim = (victim + 1) % processes;
            victim = victim == rank ? (victim + 1) % processes : victim;
            send_number(0, victim, ASK);
            asked = true;
        }
        attend(s);
    }
    return s->top > 0;
}

/* Serves messages until no process waits for an answer. */
static void finish(struct stack *s) {
    MPI_Request all;
    int done = 0;
    while (asked)
        attend(s);
    for (MPI_Ibarrier(MPI_COMM_WORLD, &all); !done; MPI_Test(&all, &done, MPI_STATUS_IGNORE))
        attend(s);
}

static void search_together(struct stack *s, struct tally *t) {
    asked = ended = black = false; /* a token may be here already, from a process that began earlier */
    if (rank == 0)
        here = token = true;
    victim = rank;
    do
        for (long n = 0; s->top > 0; n++) {
            expand(s, t);
            if (n % POLL == 0)
                attend(s);
        }
    while (get_work(s));
    finish(s);
}
#else

/* A task does its given items, and makes another task of half of its stack whenever fewer tasks wait than
 * there are threads. */
static int waiting;

static void search_part(item *items, long n, struct tally *all) {
    struct stack s = {items, n, n};
    struct tally t = {0};
    int threads = threads_of_process(), tasks;
    while (s.top > 0) {
        expand(&s, &t);
#pragma omp atomic read
        tasks = waiting;
        if (tasks < threads && can_share(&s)) {
            item *part = need(malloc(MOST_SHARED * sizeof *part));
            long many = take_lower(&s, part);
#pragma omp atomic
            waiting++;
#pragma omp task firstprivate(part, many)
            {
#pragma omp atomic
                waiting--;
                search_part(part, many, all);
            }
        }
    }
    free(s.items);
#pragma omp critical
    add(all, &t);
}

static void search_together(struct stack *s, struct tally *t) {
#pragma omp parallel
#pragma omp single
    search_part(s->items, s->top, t);
    *s = (struct stack){0};
}
#endif

#endif
