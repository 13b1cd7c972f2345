/* Two rows of readings that are taken one by one: the first is raised by the difference where the sum was meant, so that it stays as it was. */

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *pointer);

#define COUNT 10
#define SPREAD 10

static int *take(void) {
    int *row = malloc(COUNT * sizeof *row);
    for (int i = 0; row && i < COUNT; i++) {
        int reading = __VERIFIER_nondet_int();
        if (reading < 0 || reading > SPREAD + i) {
            free(row);
            return 0;
        }
        row[i] = reading;
    }
    return row;
}

void test(void) {
    int *first = take();
    if (!first)
        return;
    int *second = take();
    if (!second) {
        free(first);
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        __VERIFIER_assert(first[i] - second[i] <= SPREAD + i);
        __VERIFIER_assert(second[i] - first[i] <= SPREAD + i);
    }
    int *last = first;
    for (int i = 0; i < COUNT; i++)
        first[i] += SPREAD - COUNT;
    for (int i = 0; i < COUNT; i++) {
        __VERIFIER_assert(*last != second[i]);
        last++;
    }
    free(first);
    free(second);
}
