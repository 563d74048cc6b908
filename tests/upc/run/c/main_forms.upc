// main may be declared with an unusual but legal form: a third parameter, parentheses, a typedef'd type.
#include "../../check.h"
typedef int status;
extern char **environ;
status (main)(int argc, char *argv[], char *envp[]) {
    CHECK(argc == 1 && argv[1] == NULL);
    CHECK(envp != NULL);
}
