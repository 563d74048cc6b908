/* Headers that a header of C includes are C too. */
static int relaxed __attribute__((unused)) = 1;
#pragma upc upc_code
static shared int *not_used __attribute__((unused));
