/* Active messages between hosts: what am.c sends to a thread of another host goes through here.
 *
 * Messages to one thread are put together into packets, which a conduit (conduit/conduit.h) carries.  So
 * small puts, stores, requests and replies to one peer travel together, with nobody asking for it; a packet
 * leaves when it is full, when the thread polls or waits, and at the latest when the progress thread comes
 * by.
 *
 * Flow control.  A thread has at most MER_WIRE_WINDOW bytes of requests under way to another one, counting
 * the bytes of the replies that they ask for (long data that a memory handler takes count a sixteenth: they
 * are never kept); what has been handled is given back in the head of the next
 * packet the other way.  Replies need no such permission, their room was counted with the request; they are
 * never waited for to leave, but queued.  So the memory of a thread is bounded by the window and the number
 * of threads that it talks to, `deliver' always takes what comes, and nobody waits in a circle: a thread that
 * waits for permission to send a request handles everything that arrives meanwhile, and who handles a request
 * never waits.
 *
 * Long payloads are sent from where they lie, in a packet of their own, and where the conduit asks for it
 * they land where they belong: no copy but the network's.
 *
 * Who runs handlers.  Memory handlers (mer_am_memory_handler), which touch memory as another thread of the
 * host would and may reply, are run by whoever reads the packet: the thread in its polls and waits, or, while
 * it computes or sleeps, the progress thread (progress.c).  All other messages are left by the progress
 * thread to the thread itself.  Messages of one kind keep their order within each of these two classes.
 */
#ifndef MER_TRANSPORT_TRANSPORT_H
#define MER_TRANSPORT_TRANSPORT_H

#include "am/am.h"
#include "host/job.h"

struct mer_boot;

#define MER_WIRE_WINDOW (128U << 10)
/* Small messages go together up to here: enough that the cost of sending is shared by hundreds, and so little
 * that the receiver works on one packet while the next is being filled. */
#define MER_WIRE_PACKET (16U << 10)

/* Payloads of this length or more are long: they cost less, and should be multiples of 8 bytes. */
#define MER_WIRE_LONG (16U << 10)

extern bool mer_wire_up; /* this job has threads on other hosts, and they can be reached */

/* Is thread t reached over the wire? */
static inline bool mer_wire_beyond(int t) { return __builtin_expect(mer_wire_up, 0) && !mer_on_host(t); }

/* Put a message on its way; the payload has been copied on return.  A request may wait for permission and
 * handle messages meanwhile; a reply does not. */
void mer_wire_send(int to, enum mer_am_way way, int handler, const struct mer_am_body *body,
                   const mer_u64 *args, int nargs);

/* Send what is under way, take what has come, run the handlers; how many ran.  This thread only. */
int mer_wire_poll(void);

/* Does the conduit reach thread t's memory by the network's own means? */
bool mer_wire_memory(int t);

/* A read, or a write, of memory that lies in the view of a thread beyond the wire, begun by the network's own
 * means, in no order with messages.  *counter is raised by one, and lowered when the operation is complete; a
 * put's bytes stay as they are until then.  False: the conduit does not do this, or not now: use messages. */
bool mer_wire_get(void *to, mer_u64 bits, size_t n, int *counter);
bool mer_wire_put(mer_u64 bits, const void *from, size_t n, int *counter);

/* The longest payload for a memory handler of thread t's whose first word is where it goes: MER_AM_MEDIUM
 * within the host, more in the conduit's packets. */
size_t mer_wire_medium(int t);
/* How much of n bytes goes in the next message, of at most `most': whole words of what is long. */
static inline size_t mer_wire_part(size_t n, size_t most) {
    return n > most ? most : n > MER_WIRE_LONG ? n & ~(size_t)7 : n;
}

/* Open the conduit, tell each other the addresses, start the progress thread.  Start-up, where there are
 * several hosts. */
void mer_wire_start(const struct mer_boot *boot);
/* After the last barrier: everything sent has left. */
void mer_wire_stop(void);
/* The thread leaves with a failure, without a last barrier, and what it has sent is still on its way, perhaps
 * behind a connection yet to be made.  Others may wait for it in a barrier that this thread has left, and are
 * to come out and say what they have to say in the time that the launcher gives them.  Nobody acknowledges,
 * so this is a time, less than the launcher's.  Those that leave likewise are no loss.  Called from a memory
 * handler: nothing happens. */
void mer_wire_linger(void);

/* Hold the wire's lock, which memory handlers run under; true: taken now.  One host: nothing to do. */
bool mer_wire_guard(void);
void mer_wire_unguard(bool guarded);

/* ---- for deferred.c -------------------------------------------------------------------------------------
 */

/* Memory for n bytes, aligned to 64, to be freed; or a fatal message. */
void *mer_wire_room(size_t n);

/* ---- for progress.c -------------------------------------------------------------------------------- */

/* Take what has come, as the progress thread; how many packets.  *idle: nothing is left to send, and one may
 * sleep on the conduit's descriptor; then the next message that this thread sends wakes mer_progress_alarm.
 */
int mer_wire_turn(bool *idle);
/* How often the thread has polled. */
extern uint32_t mer_wire_polls;

void mer_progress_start(int wait_fd);
void mer_progress_stop(void);
/* There is something to send, and the progress thread sleeps on the descriptor. */
void mer_progress_alarm(void);
/* The thread is about to sleep (true), or is awake again. */
void mer_progress_rest(bool resting);

#endif
