/* The rings of Linux: a header and the entries, linked both ways. An entry holds a key, so that rings can be compared. */
#define READ_ONCE(place) (place)
#define WRITE_ONCE(place, value) ((place) = (value))
/* Without CONFIG_DEBUG_LIST nothing is looked at. */
#define __list_add_valid(new, prev, next) 1
#define __list_del_entry_valid(entry) 1

struct list_head {
    struct list_head *next, *prev;
    int key;
};

/* Closes the nodes of an input, which have pointers ahead only, into a ring. */
static void make_ring(struct list_head *head, struct list_head *first) {
    struct list_head *before = head;
    for (struct list_head *node = first; node != NULL; node = node->next) {
        before->next = node;
        node->prev = before;
        before = node;
    }
    before->next = head;
    head->prev = before;
}

/* Fails where the two directions are not inverse; tells the number of entries. */
static unsigned ring_length(struct list_head *head) {
    unsigned length = 0;
    struct list_head *before = head;
    for (struct list_head *node = head->next; node != head; node = node->next) {
        __VERIFIER_assert(node->prev == before);
        before = node;
        length++;
    }
    __VERIFIER_assert(head->prev == before);
    return length;
}
