/* Programs of static THREADS: the number of threads that they start with, and the messages if files or job
 * disagree.
 */
#include "job.h"

static void program(char *directory, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(directory, '/') - directory), directory, name);
    job_program = path;
}

static void checks_of(char *self) {
    static const char *const three[] = {"MERIDIAN_THREADS=3", NULL};
    static const char *const nowhere[] = {"PATH=/nowhere", NULL};
    const struct job_result *r;

    program(self, "static_body");
    job_expect_good("", 4);
    job_expect_message("", 5, "four.upc was compiled for THREADS = 4, but the job has 5 threads");
    job_expect_message("", 1, "four.upc was compiled for THREADS = 4, but the job has 1 threads");
    r = job_run_bare("", three);
    CHECK(r->code == 1 && strstr(r->text, "but MERIDIAN_THREADS is 3"));
    r = job_run_bare("", nowhere); /* it asks for a launcher of four threads */
    CHECK(r->code == 1 && strstr(r->text, "cannot start 4 threads"));

    program(self, "static_body_0");
    job_expect_message("", 4,
                       "four.upc was compiled for THREADS = 4, but other.upc for a number chosen at start");
    program(self, "static_body_5");
    job_expect_message("", 4, "compile all files with the same -fupc-threads-N");
}

int main(int argc, char **argv) {
    CHECK(argc == 1 && strchr(argv[0], '/'));
    checks_of(argv[0]);
    return 0;
}
