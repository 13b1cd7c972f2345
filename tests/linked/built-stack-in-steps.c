/* A stack of plates: one hand puts plates on top, another one takes them away, each a step at a time, and begins anew where the other was faster. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void abort(void);

enum step { BEGIN = 1, LOOK, PREPARE, EXCHANGE };

struct plate {
    struct plate *below;
};

static struct plate *top, *washed;
static struct plate *clean, *seen;
static struct plate *taken, *rest;
static enum step putting = BEGIN, taking = BEGIN;

static void put(void) {
    switch (putting) {
    case BEGIN:
        clean = malloc(sizeof *clean);
        if (!clean)
            abort();
        putting = LOOK;
        break;
    case LOOK:
        seen = top;
        putting = PREPARE;
        break;
    case PREPARE:
        clean->below = seen;
        putting = EXCHANGE;
        break;
    case EXCHANGE:
        if (top == seen) {
            top = clean;
            putting = BEGIN;
        } else {
            putting = LOOK;
        }
        break;
    }
}

static void take(void) {
    switch (taking) {
    case BEGIN:
        taken = top;
        taking = LOOK;
        break;
    case LOOK:
        taking = taken ? PREPARE : BEGIN;
        break;
    case PREPARE:
        rest = taken->below;
        taking = EXCHANGE;
        break;
    case EXCHANGE:
        if (top == taken) {
            top = rest;
            taken->below = washed;
            washed = taken;
        }
        taking = BEGIN;
        break;
    }
}

void test(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put();
        else
            take();
    }
}
