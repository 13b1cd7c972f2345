/* Records of two members that the program makes: the one is the index of the record, the other is counted. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct record {
    int key, value;
};

int test(void) {
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count > 0 && count < 1000);
    struct record *records = malloc(count * sizeof *records);
    if (!records)
        return 0;
    for (int i = 0; i < count; i++) {
        records[i].key = i;
        records[i].value = __VERIFIER_nondet_int() > 0;
    }
    int ones = 0;
    for (int i = 0; i < count; i++)
        ones += records[i].value;
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(records[i].key == i);
    free(records);
    return ones;
}
