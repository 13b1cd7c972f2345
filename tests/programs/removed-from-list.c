/* A list of at most six numbers, all 24, in an array: numbers are added at the end and removed anywhere, what follows moves up. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define CAPACITY 6

struct list {
    int count;
    int numbers[CAPACITY];
};

static void add(struct list *list, int number) {
    if (list->count < CAPACITY)
        list->numbers[list->count++] = number;
}

static void remove_at(struct list *list, int place) {
    if (place < 0 || place >= list->count)
        return;
    for (int i = place; i < list->count - 1; i++)
        list->numbers[i] = list->numbers[i + 1];
    list->count--;
}

int test(void) {
    struct list list;
    list.count = 0;
    while (__VERIFIER_nondet_int()) {
        int place = __VERIFIER_nondet_int();
        if (place < 0)
            add(&list, 24);
        else
            remove_at(&list, place);
    }
    for (int i = 0; i < list.count; i++)
        __VERIFIER_assert(list.numbers[i] == 24);
    return 0;
}
