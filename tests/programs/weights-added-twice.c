/* What a hundred small weights come to is the same however often they are added up, and no more than each of them may weigh. */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int condition);

#define MOST 100

void test(void) {
    unsigned char weights[MOST];
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > MOST)
        return;
    for (int i = 0; i < count; i++)
        weights[i] = __VERIFIER_nondet_uchar();
    int first = 0;
    for (int i = 0; i < count; i++)
        first += weights[i];
    __VERIFIER_assert(first <= 255 * MOST);
    int second = 0;
    for (int i = 0; i < count; i++)
        second += weights[i];
    __VERIFIER_assert(first == second);
}
