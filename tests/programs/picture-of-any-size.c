/* A picture of at most 4096 points: whether there is such a number is asked before it is computed. */
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *malloc(unsigned long);
extern void free(void *);

void test(void) {
    unsigned long width = __VERIFIER_nondet_ulong(), height = __VERIFIER_nondet_ulong();
    if (width == 0 || height > -1ul / width)
        return;
    if (height * width > 4096)
        return;
    unsigned char *point = malloc(height * width);
    if (!point)
        return;
    for (unsigned long y = 0; y < height; y++)
        for (unsigned long x = 0; x < width; x++)
            point[y * width + x] = 255;
    free(point);
}
