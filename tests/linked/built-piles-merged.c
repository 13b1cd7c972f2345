/* Piles of cards, each in order: two are merged in their places, as often as it takes until there is one pile. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct card {
    struct card *below;
    int rank;
};

struct pile {
    struct card *top;
    struct pile *next;
};

static void *get(unsigned long size) {
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static struct pile *deal(void) {
    struct pile *piles = 0;
    while (__VERIFIER_nondet_int()) {
        struct pile *pile = get(sizeof *pile);
        pile->top = get(sizeof *pile->top);
        pile->top->below = 0;
        pile->top->rank = __VERIFIER_nondet_int();
        pile->next = piles;
        piles = pile;
    }
    return piles;
}

static void merge(struct pile *pile, struct card *other) {
    struct card **end = &pile->top, *own = pile->top;
    while (own && other) {
        struct card **least = own->rank <= other->rank ? &own : &other;
        *end = *least;
        *least = (*least)->below;
        end = &(*end)->below;
    }
    *end = own ? own : other;
}

static struct pile *pass(struct pile *piles) {
    struct pile *merged = 0;
    while (piles) {
        struct pile *second = piles->next, *rest = 0;
        if (second) {
            merge(piles, second->top);
            rest = second->next;
            free(second);
        }
        piles->next = merged;
        merged = piles;
        piles = rest;
    }
    return merged;
}

static void sort(struct pile **sorted) {
    struct pile *piles = *sorted;
    while (piles && piles->next)
        piles = pass(piles);
    *sorted = piles;
}

void test(void) {
    struct pile *piles = deal();
    sort(&piles);
    if (piles) {
        struct card *card = piles->top;
        free(piles);
        while (card) {
            struct card *below = card->below;
            free(card);
            card = below;
        }
    }
}
