/* Tickets are put on a pile and taken off it again; the pile, which grows, knows how many it holds, and holds no free one. */
typedef unsigned long size_t;
extern void *realloc(void *old, size_t size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct pile {
    int *prices;
    int held, room;
};

static void put(struct pile *pile, int price) {
    if (pile->held == pile->room) {
        int room = pile->room > 0 ? 2 * pile->room : 8;
        int *prices = room <= 10000 ? realloc(pile->prices, room * sizeof *prices) : 0;
        if (!prices)
            return;
        pile->prices = prices;
        pile->room = room;
    }
    pile->prices[pile->held++] = price;
}

void test(void) {
    struct pile pile = { 0, 0, 0 };
    while (__VERIFIER_nondet_int()) {
        int price = __VERIFIER_nondet_int();
        if (price > 0)
            put(&pile, price);
        else if (pile.held > 0)
            __VERIFIER_assert(pile.prices[--pile.held] > 0);
    }
    free(pile.prices);
}
