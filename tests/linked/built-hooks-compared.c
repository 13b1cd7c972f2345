/* Coats on hooks, which link them in a ring around one that holds no coat: where a hook is is not where its coat is, and the coat's first member is. */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct hook {
    struct hook *next, *prev;
};

struct coat {
    int owner;
    struct hook hook;
};

static struct coat *coat_of(struct hook *hook) {
    return (struct coat *)((char *)hook - offsetof(struct coat, hook));
}

static void hang_up(struct hook *rack, int owner) {
    struct coat *coat = malloc(sizeof *coat);
    if (!coat)
        abort();
    coat->owner = owner;
    coat->hook.next = rack->next;
    coat->hook.prev = rack;
    rack->next->prev = &coat->hook;
    rack->next = &coat->hook;
}

void test(void) {
    struct hook rack = { &rack, &rack };
    while (__VERIFIER_nondet_int())
        hang_up(&rack, __VERIFIER_nondet_int());
    for (struct hook *hook = rack.next; hook != &rack; hook = hook->next) {
        struct coat *coat = coat_of(hook);
        __VERIFIER_assert(coat != (struct coat *)hook);
        __VERIFIER_assert(coat == (struct coat *)&coat->owner);
    }
    while (rack.next != &rack) {
        struct coat *coat = coat_of(rack.next);
        rack.next = coat->hook.next;
        rack.next->prev = &rack;
        free(coat);
    }
}
