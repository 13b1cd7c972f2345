/* Redis' doubly linked lists; their values are integers, so that two can be equal. */
#define AL_START_HEAD 0
#define AL_START_TAIL 1
#define listLength(l) ((l)->len)

typedef struct listNode {
    struct listNode *prev;
    struct listNode *next;
    int value;
} listNode;

typedef struct listIter {
    listNode *next;
    int direction;
} listIter;

typedef struct list {
    listNode *head;
    listNode *tail;
    unsigned long len;
} list;

/* Makes the list of the nodes of an input, which have pointers ahead only. There are fewer than lengths can tell. */
static void make_list(list *l, listNode *first) {
    listNode *before = NULL;
    l->head = first;
    l->len = 0;
    for (listNode *node = first; node != NULL; node = node->next) {
        __VERIFIER_assume(l->len < 0x7fffffffffffffff);
        node->prev = before;
        before = node;
        l->len++;
    }
    l->tail = before;
}

/* Fails where the links, the ends or the length are not those of a list. */
static void assert_well_formed(list *l) {
    listNode *before = NULL;
    unsigned long length = 0;
    for (listNode *node = l->head; node != NULL; node = node->next) {
        __VERIFIER_assert(node->prev == before);
        before = node;
        length++;
    }
    __VERIFIER_assert(l->tail == before);
    __VERIFIER_assert(l->len == length);
}
