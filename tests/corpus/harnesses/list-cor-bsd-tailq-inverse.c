/* In one of FreeBSD's tail queues, each entry points to the link before it, after inserting at the tail and removing any entry, too. */

// include verifier.h

/* Without QUEUE_MACRO_DEBUG these are empty. */
#define QMD_SAVELINK(name, link)
#define TRASHIT(link)
#define QMD_TAILQ_CHECK_TAIL(head, field)
#define QMD_TAILQ_CHECK_NEXT(elm, field)
#define QMD_TAILQ_CHECK_PREV(elm, field)
#define QMD_TRACE_HEAD(head)
#define QMD_TRACE_ELEM(elm)
#define TAILQ_NEXT(elm, field) ((elm)->field.tqe_next)

struct link {
    struct entry *tqe_next;
    struct entry **tqe_prev;
};
struct entry {
    struct link field;
};
struct head {
    struct entry *tqh_first;
    struct entry **tqh_last;
};

// extract freebsd_TAILQ_INSERT_TAIL

// extract freebsd_TAILQ_REMOVE

/* Fails where an entry does not point to the link before it, or the header not to the last link; tells the length. */
static unsigned inverse_length(struct head *head) {
    unsigned length = 0;
    struct entry **link = &head->tqh_first;
    for (; *link != NULL; link = &(*link)->field.tqe_next) {
        __VERIFIER_assert((*link)->field.tqe_prev == link);
        length++;
    }
    __VERIFIER_assert(head->tqh_last == link);
    return length;
}

// twin "(head)->tqh_last = (elm)->field.tqe_prev;" => ""
// twin 2 "(head)->tqh_last = &TAILQ_NEXT((elm), field);" => "(head)->tqh_last = &TAILQ_NEXT((head)->tqh_first, field);"
// twin 3 "TAILQ_NEXT((elm), field)->field.tqe_prev = \t\t\\\n\t\t    (elm)->field.tqe_prev;" => "TAILQ_NEXT((elm), field)->field.tqe_prev =\t\t\\\n\t\t    &TAILQ_NEXT((elm), field);"

void test(struct entry *first, struct entry *entry, int position) {
    __VERIFIER_assume(entry != NULL);
    struct head head;
    head.tqh_first = first;
    struct entry **link = &head.tqh_first;
    for (; *link != NULL; link = &(*link)->field.tqe_next)
        (*link)->field.tqe_prev = link;
    head.tqh_last = link;
    unsigned before = inverse_length(&head);
    TAILQ_INSERT_TAIL(&head, entry, field);
    __VERIFIER_assert(inverse_length(&head) == before + 1);
    struct entry *node = head.tqh_first;
    for (; node != NULL && position > 0; position--)
        node = node->field.tqe_next;
    __VERIFIER_assume(node != NULL);
    TAILQ_REMOVE(&head, node, field);
    __VERIFIER_assert(inverse_length(&head) == before);
}
