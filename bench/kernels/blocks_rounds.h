/* How often blocks-in-a-box is searched, by class, for the versions in AC, OpenMP and MPI. */
static const long rounds_of_class[] = {1, 8, 32};
