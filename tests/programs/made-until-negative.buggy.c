/* A buffer that is filled until a negative number comes, searched, and checked: zeros are kept too. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

int test(void) {
    int values[256];
    int count = 0;
    while (count < 256) {
        int value = __VERIFIER_nondet_int();
        if (value < 0)
            break;
        values[count++] = value;
    }
    int place = 0;
    while (place < count && values[place] != 13)
        place++;
    __VERIFIER_assert(place == count || values[place] == 13);
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(values[i] > 0);
    return 0;
}
