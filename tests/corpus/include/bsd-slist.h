/* Singly linked lists as the macros of the BSDs and of QEMU have them; an entry holds a key, so that lists can be compared. */
#define QUEUE_TYPEOF(type) struct type
/* Without QUEUE_MACRO_DEBUG these are empty. */
#define QMD_SAVELINK(name, link)
#define TRASHIT(link)
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(elm, field) ((elm)->field.sle_next)

struct link {
    struct entry *sle_next;
};
struct entry {
    int key;
    struct link field;
};
struct head {
    struct entry *slh_first;
};

/* Keeps only lists of the same keys. */
static void require_same(struct entry *a, struct entry *b) {
    for (; a != NULL && b != NULL; a = a->field.sle_next, b = b->field.sle_next)
        __VERIFIER_assume(a->key == b->key);
    __VERIFIER_assume(a == NULL && b == NULL);
}

/* The entry at a place counted from 0, or NULL. */
static struct entry *nth(struct entry *list, int place) {
    __VERIFIER_assume(place >= 0);
    for (; list != NULL && place > 0; place--)
        list = list->field.sle_next;
    return list;
}
