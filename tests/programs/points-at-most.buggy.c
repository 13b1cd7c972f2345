/* Twelve rounds of a game, in each of which ten points are won or lost at most: so many may be lost or won in all, and the best score is not less than the last. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

#define ROUNDS 12
#define POINTS 10

void test(void) {
    int score = 0, best = 0, rounds = 0;
    while (rounds < ROUNDS) {
        int points = __VERIFIER_nondet_int();
        if (points < -POINTS || points > POINTS)
            points = 0;
        score += points;
        if (score < best)
            best = score;
        rounds++;
    }
    __VERIFIER_assert(score <= best);
    __VERIFIER_assert(best <= ROUNDS * POINTS);
    __VERIFIER_assert(score >= -ROUNDS * POINTS);
}
