/* The entries of a folder are put in the opposite order: there are as many as before, and each knows the one before it. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct entry { struct entry *next, *prev, *inside; };

/* Lets every entry point back to the one before it. */
static void link_back(struct entry *folder) {
    struct entry *before = 0;
    for (struct entry *entry = folder->inside; entry; entry = entry->next) {
        entry->prev = before;
        before = entry;
    }
}

static unsigned count(struct entry *folder) {
    unsigned n = 0;
    for (struct entry *entry = folder->inside; entry; entry = entry->next)
        n++;
    return n;
}

static void turn_round(struct entry *folder) {
    struct entry *last = 0, *entry = folder->inside;
    while (entry) {
        last = entry;
        entry = entry->next;
        last->next = last->prev;
        last->prev = entry;
    }
    folder->inside = last;
}

void test(struct entry *folder) {
    __VERIFIER_assume(folder);
    link_back(folder);
    unsigned before = count(folder);
    turn_round(folder);
    __VERIFIER_assert(count(folder) == before);
    struct entry *previous = 0;
    for (struct entry *entry = folder->inside; entry; entry = entry->next) {
        __VERIFIER_assert(entry->prev == previous);
        previous = entry;
    }
}
