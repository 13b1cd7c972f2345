/* FreeBSD's SLIST_REMOVE takes any node of a list out and leaves the others in their order. */

// include verifier.h
// include bsd-slist.h

// extract freebsd_SLIST_REMOVE_HEAD

// extract freebsd_SLIST_REMOVE_AFTER

// extract freebsd_SLIST_REMOVE

// twin "SLIST_REMOVE_AFTER(curelm, field);" => "SLIST_REMOVE_AFTER(elm, field);"
// twin 2 "SLIST_NEXT(SLIST_NEXT(elm, field), field);" => "NULL;"
// twin 3 "if (SLIST_FIRST((head)) == (elm))" => "if (SLIST_FIRST((head)) != (elm))"

void test(struct entry *list, struct entry *same, int position) {
    require_same(list, same);
    struct head head;
    head.slh_first = list;
    struct entry *node = nth(list, position);
    __VERIFIER_assume(node != NULL);
    SLIST_REMOVE(&head, node, entry, field);
    /* The list of the same keys has a node that the other one does not have any more. */
    struct entry *left = head.slh_first, *skipped = nth(same, position);
    for (; same != NULL; same = same->field.sle_next) {
        if (same == skipped)
            continue;
        __VERIFIER_assert(left != NULL && left != node && left->key == same->key);
        left = left->field.sle_next;
    }
    __VERIFIER_assert(left == NULL);
}
