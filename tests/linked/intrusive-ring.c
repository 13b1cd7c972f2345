/* A ring of links inside items, with a header on the stack, as in kernels: items are found by container_of. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct link { struct link *next, *prev; };
struct item { int value; struct link link; };
#define offset_of(type, member) __builtin_offsetof(type, member)
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offset_of(type, member)))
#define for_each(place, head) for (place = (head)->next; place != (head); place = place->next)

static void initialise(struct link *head) {
    head->next = head;
    head->prev = head;
}

static void insert_between(struct link *entry, struct link *before, struct link *after) {
    after->prev = entry;
    entry->next = after;
    entry->prev = before;
    before->next = entry;
}

static void add(struct link *entry, struct link *head) { insert_between(entry, head, head->next); }

static void take_out(struct link *entry) {
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

void test(void) {
    struct link head, *place;
    initialise(&head);
    int added = 0;
    while (added < 1000 && __VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof(struct item));
        if (!item)
            break;
        item->value = added;
        add(&item->link, &head);
        added++;
    }
    int seen = 0;
    for_each(place, &head) {
        seen++;
        __VERIFIER_assert(container_of(place, struct item, link)->value == added - seen);
    }
    __VERIFIER_assert(seen == added);
    while (head.next != &head) {
        struct item *item = container_of(head.next, struct item, link);
        take_out(&item->link);
        free(item);
    }
}
