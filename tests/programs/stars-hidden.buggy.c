/* A star at the beginning is left. */
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assert(int);

#define SIZE 50
#define STAR 1
#define DASH 2

void test(void) {
    char text[SIZE];
    int i;
    for (i = 0; i < SIZE - 1; i++)
        text[i] = __VERIFIER_nondet_char();
    text[SIZE - 1] = 0;
    for (i = 1; text[i] != 0; i++)
        if (text[i] == STAR)
            text[i] = DASH;
    for (i = 0; text[i] != 0; i++)
        __VERIFIER_assert(text[i] != STAR);
}
