/* A path of any length is laid stone by stone, counted from its end: in the end all of them should lie, but the last one is missing. */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);

void test(int stones) {
    if (stones <= 0)
        return;
    int *path = malloc(stones * sizeof *path);
    if (!path)
        return;
    for (int i = 0; i < stones - 1; i++)
        path[stones - 1 - i] = 5;
    for (int i = 0; i < stones; i++)
        __VERIFIER_assert(path[i] == 5);
    free(path);
}
