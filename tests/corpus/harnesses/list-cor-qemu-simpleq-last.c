/* The header of one of QEMU's simple queues points to the last link after inserting at the tail and removing any entry. */

// include verifier.h

struct link {
    struct entry *sqe_next;
};
struct entry {
    struct link field;
};
struct head {
    struct entry *sqh_first;
    struct entry **sqh_last;
};

// extract qemu_QSIMPLEQ_INSERT_TAIL

// extract qemu_QSIMPLEQ_REMOVE_HEAD
// rewrite "typeof((head)->sqh_first) elm" => "struct entry *elm"

// extract qemu_QSIMPLEQ_REMOVE

/* Fails where the header does not point to the last link; tells the length. */
static unsigned length(struct head *head) {
    unsigned length = 0;
    struct entry **link = &head->sqh_first;
    for (; *link != NULL; link = &(*link)->field.sqe_next)
        length++;
    __VERIFIER_assert(head->sqh_last == link);
    return length;
}

// twin "(head)->sqh_last = &(curelm)->field.sqe_next;" => "(head)->sqh_last = &(elm)->field.sqe_next;"
// twin 2 "(head)->sqh_last = &(head)->sqh_first;" => ";"
// twin 3 "(head)->sqh_last = &(elm)->field.sqe_next;                          \\\n" => "\\\n"

void test(struct entry *first, struct entry *entry, int position) {
    __VERIFIER_assume(entry != NULL);
    struct head head;
    head.sqh_first = first;
    struct entry **link = &head.sqh_first;
    for (; *link != NULL; link = &(*link)->field.sqe_next)
        ;
    head.sqh_last = link;
    unsigned before = length(&head);
    QSIMPLEQ_INSERT_TAIL(&head, entry, field);
    __VERIFIER_assert(length(&head) == before + 1);
    struct entry *node = head.sqh_first;
    for (; node != NULL && position > 0; position--)
        node = node->field.sqe_next;
    __VERIFIER_assume(node != NULL);
    QSIMPLEQ_REMOVE(&head, node, entry, field);
    __VERIFIER_assert(length(&head) == before);
}
