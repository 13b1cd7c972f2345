/* How far it is to each of the places along a way: no place is nearer than the one before. */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int condition);

#define PLACES 80

void test(void) {
    unsigned char steps[PLACES];
    int far[PLACES + 1];
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > PLACES)
        return;
    for (int i = 0; i < count; i++)
        steps[i] = __VERIFIER_nondet_uchar();
    far[0] = 0;
    for (int i = 0; i < count; i++)
        far[i + 1] = far[i] + steps[i];
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(far[i] <= far[i + 1]);
}
