/* The beginning of a program (tam_main, meridian/abi/tam.h): processor 0 begins the main activation. */
#include "base/fatal.h"
#include "base/settings.h"
#include "host/job.h"
#include "start/finish.h"
#include "sync/barrier.h"
#include "tam/activation.h"
#include "tam/apply.h"
#include "tam/collect.h"
#include "tam/collection.h"
#include "tam/count.h"
#include "tam/deadlock.h"
#include "tam/direct.h"
#include "tam/external.h"
#include "tam/finish.h"
#include "tam/owner.h"
#include "tam/receive.h"
#include "tam/schedule.h"
#include "tam/send.h"
#include "tam/share.h"
#include "tam/storage.h"
#include "tam/wave.h"

/* All processors register the same handlers in the same order. */
static void register_all(void) {
    tam_receive_register();
    tam_share_register();
    tam_wave_register();
    tam_owners_register();
    tam_collection_register();
    tam_external_register();
    tam_finish_register();
    tam_deadlock_register();
}

int tam_main(const struct tam_program *program, int argc, char **argv) {
    tam.program = program;
    tam.me = MER_MYTHREAD;
    tam.processors = mer_job.threads;
    tam.world.argc = argc;
    tam.world.argv = argv;
    tam.dealing.on = (int)mer_setting(TAM_DEAL) && tam.processors > 1;
    tam.dealing.turn = tam.me;
    if (mer_setting(TAM_ORDER))
        tam.order.state = (uint64_t)mer_setting(TAM_ORDER) * 2654435761u + (uint64_t)tam.me * 40503u;
    tam_registers.here = (tam_word)tam.me << 48;
    tam_registers.local_first = (tam_word)mer_job.here_first << 48;
    tam_registers.local_count = (tam_word)mer_job.here << 48;
    tam_storage_start();
    tam_collect_start(__builtin_frame_address(0));
    if (tam.processors > 32767)
        mer_fatal("Id programs run on at most 32767 processors");
    tam_count_start();
    tam_send_start();
    register_all();
    tam_direct_start();
    tam_apply_start();
    tam_owners_exchange("the program");
    if (tam.me == 0) {
        tam_word none[1] = {0};
        tam_activation_begin(NULL, program->main, none, 0, 0);
    }
    tam_schedule();
    mer_finish_flush();
    mer_barrier_collective("the program");
    return 0;
}
