/* Seats of a coach, which are structs inside a struct: none is given away twice. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { SEATS = 48 };

struct seat {
    int is_taken, passenger;
};

static struct coach {
    struct seat seats[SEATS];
    int taken;
} coach;

static int reserve(struct coach *coach, int seat, int passenger) {
    if (seat < 0 || seat >= SEATS || coach->seats[seat].is_taken)
        return 0;
    coach->seats[seat].is_taken = 1;
    coach->seats[seat].passenger = passenger;
    coach->taken++;
    return 1;
}

void test(void) {
    int rounds = 0;
    while (rounds < 20 && __VERIFIER_nondet_int()) {
        int seat = __VERIFIER_nondet_int();
        if (reserve(&coach, seat, rounds)) {
            __VERIFIER_assert(coach.seats[seat].is_taken);
            __VERIFIER_assert(!reserve(&coach, seat, rounds));
        }
        rounds++;
    }
}
