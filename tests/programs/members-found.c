/* A club of at most a hundred members: who has joined is a member, and nobody joins twice. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define MOST 100

static int members[MOST];
static int count;

static int is_member(int number) {
    for (int i = 0; i < count; i++)
        if (members[i] == number)
            return 1;
    return 0;
}

/* Is the number a member's afterwards? */
static int join(int number) {
    if (is_member(number))
        return 1;
    if (count == MOST)
        return 0;
    members[count++] = number;
    return 1;
}

/* The last one takes the place of the one that leaves. */
static void leave(int number) {
    for (int i = 0; i < count; i++)
        if (members[i] == number) {
            members[i] = members[--count];
            return;
        }
}

int test(void) {
    while (__VERIFIER_nondet_int()) {
        int number = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int())
            leave(number);
        else if (join(number))
            __VERIFIER_assert(is_member(number));
        __VERIFIER_assert(0 <= count && count <= MOST);
    }
    return count;
}
