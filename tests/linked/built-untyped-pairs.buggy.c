/* A row of pairs of pointers that is taken down from one of its ends: what is behind a thing is asked of it when it has been freed. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);

enum { LEFT, RIGHT };

typedef void *pair[2];

static void put(pair *ends, int side) {
    pair *thing = malloc(sizeof *thing);
    if (!thing)
        return;
    pair *next = (*ends)[side];
    (*thing)[side] = 0;
    (*thing)[!side] = next;
    if (next)
        (*next)[side] = thing;
    else
        (*ends)[!side] = thing;
    (*ends)[side] = thing;
}

void test(void) {
    pair ends = {0, 0};
    while (__VERIFIER_nondet_int())
        put(&ends, __VERIFIER_nondet_int() ? LEFT : RIGHT);
    int side = __VERIFIER_nondet_int() ? LEFT : RIGHT;
    pair *thing = ends[side];
    while (thing) {
        free(thing);
        thing = (*thing)[!side];
    }
}
