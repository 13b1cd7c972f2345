/* Two workers put cards on one pile, and take them off, step by step and in any order of their steps; each knows from the place that it has come to
   whether it holds a card. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct card {
    struct card *below;
};

enum place { IDLE = 10, HOLDING = 20, TAKEN = 30 };

static struct card *pile;
static enum place first_place = IDLE, second_place = IDLE;
static struct card *first_card, *second_card;

static void step(enum place *place, struct card **card) {
    switch (*place) {
    case IDLE:
        if (__VERIFIER_nondet_int()) {
            *card = malloc(sizeof **card);
            if (!*card)
                abort();
            *place = HOLDING;
        } else if (pile) {
            *card = pile;
            pile = pile->below;
            *place = TAKEN;
        }
        break;
    case HOLDING:
        (*card)->below = pile;
        pile = *card;
        *card = 0;
        *place = IDLE;
        break;
    case TAKEN:
        free(*card);
        *card = 0;
        *place = HOLDING;
        break;
    }
}

void test(void) {
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int())
            step(&first_place, &first_card);
        else
            step(&second_place, &second_card);
}
