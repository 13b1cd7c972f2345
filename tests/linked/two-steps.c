/* A tortoise and a hare: the hare takes two steps at a time, so the tortoise stops in the middle. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct node { struct node *next; };

void test(struct node *list) {
    struct node *slow = list, *fast = list;
    unsigned whole = 0, half = 0, steps = 0;
    for (struct node *node = list; node; node = node->next)
        whole++;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        steps++;
    }
    for (; slow; slow = slow->next)
        half++;
    __VERIFIER_assert(steps + half == whole);
    __VERIFIER_assert(half == steps || half == steps + 1);
}
