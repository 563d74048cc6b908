/* Searches of blocks-in-a-box, by class, for the versions in AC, OpenMP and MPI. */
static const long rounds_of_class[] = {1, 8, 32};
