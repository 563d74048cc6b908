/* main for programs whose splitc_main is written in C: it runs on a stack that all processors can address.  A
 * Split-C or AC unit brings a main of its own (crates/lower/src/entry.rs).
 *
 * The linker takes this object for a program that has no main.  The reference to splitc_main is then what
 * tells, when the program is linked, that it has neither.
 */
#include <meridian/everything.h>

int splitc_main(int argc, char **argv, char **envp);

int main(int argc, char **argv, char **envp) { return mer_everything_run(splitc_main, argc, argv, envp); }
