/* A row of things that are no structs: each is a pair of pointers, to the things on either side of it, and which end a thing is put to, or which end the row is taken
   down from, is an index. */
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
        pair *next = (*thing)[!side];
        free(thing);
        thing = next;
    }
}
