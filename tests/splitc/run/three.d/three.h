int upc_allocate(int n);
unsigned long long upc_numbers(void);
int upc_ends(void);
void splitc_fill(unsigned long long bits, int n);
long ac_walk(unsigned long long bits, int n);
int c_main(int thread);
