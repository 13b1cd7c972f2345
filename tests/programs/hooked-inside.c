/* A list through a member of each node, in which each link also knows where the pointer to it stands, be that in a link or at the head. */
#include <stddef.h>

extern void *malloc(size_t size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct hook {
    struct hook *after, **held_at;
};

struct entry {
    long key;
    struct hook hook;
};

static void hang(struct hook *hook, struct hook **head) {
    hook->after = *head;
    if (*head)
        (*head)->held_at = &hook->after;
    *head = hook;
    hook->held_at = head;
}

static void unhook(struct hook *hook) {
    *hook->held_at = hook->after;
    if (hook->after)
        hook->after->held_at = hook->held_at;
}

void test(void) {
    struct hook *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct entry *entry = malloc(sizeof *entry);
        if (!entry)
            break;
        entry->key = 4;
        hang(&entry->hook, &head);
    }
    struct hook *hook = head;
    while (hook) {
        struct hook *after = hook->after;
        struct entry *entry = (struct entry *)((char *)hook - offsetof(struct entry, hook));
        __VERIFIER_assert(entry->key == 4);
        if (__VERIFIER_nondet_int()) {
            unhook(hook);
            free(entry);
        }
        hook = after;
    }
    while (head) {
        hook = head;
        unhook(hook);
        free((char *)hook - offsetof(struct entry, hook));
    }
}
