/* What a queue of any length gives back should be what was put in, a positive number: zero is taken, too. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);

int test(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 1000)
        return 0;
    int *line = malloc(length * sizeof(int));
    if (!line)
        return 0;
    int front = 0, back = 0;
    while (__VERIFIER_nondet_int()) {
        int number = __VERIFIER_nondet_int();
        if (number >= 0) {
            if (back < length)
                line[back++] = number;
        } else if (front < back) {
            number = line[front++];
            __VERIFIER_assert(number > 0);
        }
    }
    free(line);
    return 0;
}
