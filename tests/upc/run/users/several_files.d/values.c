/* Plain C: knows nothing of threads. */
int calls = 100;

double value(int i, int j) { return i == j ? 1.5 : i * 0.25 - j; }
