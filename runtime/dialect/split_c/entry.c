/* main for programs whose splitc_main is written in C: it runs on a stack that all processors can address.  A
 * Split-C or AC unit brings a main of its own (crates/lower/src/entry.rs).
 *
 * The linker takes this object for a program that has no main.  If the program has no splitc_main either, the
 * reference to it fails at link.
 */
#include <meridian/everything.h>

int splitc_main(int argc, char **argv, char **envp);

int main(int argc, char **argv, char **envp) { return mer_everything_run(splitc_main, argc, argv, envp); }
