/* A list of marks that are added in front, appended, taken off and turned round in any order: each of them is one or two. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void __VERIFIER_assert(int condition);

struct entry {
    int mark;
    struct entry *next;
};

static struct entry *list;

static struct entry *entry(int mark, struct entry *next) {
    struct entry *entry = malloc(sizeof *entry);
    if (entry) {
        entry->mark = mark;
        entry->next = next;
    }
    return entry;
}

static void put(void) {
    struct entry *first = entry(1, list);
    if (first)
        list = first;
}

static void append(void) {
    struct entry **place = &list;
    while (*place)
        place = &(*place)->next;
    *place = entry(2, 0);
}

static void take(void) {
    struct entry *first = list;
    if (first) {
        list = first->next;
        free(first);
    }
}

static void turn(void) {
    struct entry *turned = 0;
    while (list) {
        struct entry *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    list = turned;
}

static void look(void) {
    for (struct entry *p = list; p; p = p->next)
        __VERIFIER_assert(p->mark == 1 || p->mark == 2);
}

void test(void) {
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            put();
            break;
        case 1:
            append();
            break;
        case 2:
            take();
            break;
        case 3:
            turn();
            break;
        default:
            look();
            break;
        }
    }
}
