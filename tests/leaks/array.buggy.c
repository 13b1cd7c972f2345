/* Fills an array and does not free it. */
extern void *malloc(unsigned long size);

int test(int n)
{
    if (n < 1 || n > 100)
        return 0;
    int *copy = malloc(n * sizeof *copy);
    if (copy == 0)
        return 1;
    for (int i = 0; i < n; i++)
        copy[i] = i;
    return 0;
}
