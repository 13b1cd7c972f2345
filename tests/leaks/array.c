/* Fills an array and frees it. */
extern void *malloc(unsigned long size);
extern void free(void *block);

int test(int n)
{
    if (n < 1 || n > 100)
        return 0;
    int *copy = malloc(n * sizeof *copy);
    if (copy == 0)
        return 1;
    for (int i = 0; i < n; i++)
        copy[i] = i;
    free(copy);
    return 0;
}
