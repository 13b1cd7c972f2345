/* FreeBSD's SLIST_REMOVE and QEMU's QSLIST_REMOVE of the entry at the same place leave equal lists. */

// include verifier.h
// include bsd-slist.h

// extract freebsd_SLIST_REMOVE_HEAD

// extract freebsd_SLIST_REMOVE_AFTER

// extract freebsd_SLIST_REMOVE

// extract qemu_QSLIST_REMOVE_HEAD
// rewrite "typeof((head)->slh_first) elm" => "struct entry *elm"

// extract qemu_QSLIST_REMOVE

// twin "curelm->field.sle_next = curelm->field.sle_next->field.sle_next;" => "curelm->field.sle_next = NULL;"
// twin 2 "(head)->slh_first = elm->field.sle_next;" => "(head)->slh_first = NULL;"
// twin 3 "SLIST_REMOVE_AFTER(curelm, field);" => "SLIST_REMOVE_AFTER(elm, field);"

void test(struct entry *a, struct entry *b, int position) {
    require_same(a, b);
    struct head head_a, head_b;
    head_a.slh_first = a;
    head_b.slh_first = b;
    struct entry *taken_from_a = nth(a, position);
    struct entry *taken_from_b = nth(b, position);
    __VERIFIER_assume(taken_from_a != NULL);
    SLIST_REMOVE(&head_a, taken_from_a, entry, field);
    QSLIST_REMOVE(&head_b, taken_from_b, entry, field);
    a = head_a.slh_first;
    b = head_b.slh_first;
    for (; a != NULL && b != NULL; a = a->field.sle_next, b = b->field.sle_next)
        __VERIFIER_assert(a->key == b->key);
    __VERIFIER_assert(a == NULL && b == NULL);
}
