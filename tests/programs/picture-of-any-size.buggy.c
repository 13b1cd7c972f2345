/* The last row is one point longer than the others. */
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
        for (unsigned long x = 0; x < width + (y + 1 == height); x++)
            point[y * width + x] = 255;
    free(point);
}
