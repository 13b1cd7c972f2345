/* Eight numbers at most are inserted into an array, each in its place: at any time they are in order. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define CAPACITY 8

static int numbers[CAPACITY];
static int count;

static void insert(int number) {
    if (count == CAPACITY)
        return;
    int place = count;
    while (place > 0 && numbers[place - 1] > number) {
        numbers[place] = numbers[place - 1];
        place--;
    }
    numbers[place] = number;
    count++;
}

int test(void) {
    count = 0;
    while (__VERIFIER_nondet_int()) {
        insert(__VERIFIER_nondet_int());
        for (int i = 1; i < count; i++)
            __VERIFIER_assert(numbers[i - 1] <= numbers[i]);
    }
    return 0;
}
