/* FreeBSD's SLIST_REMOVE is safe for an entry that is not in the list (it is not: it walks off the end). */

// include verifier.h
// include bsd-slist.h

// extract freebsd_SLIST_REMOVE_HEAD

// extract freebsd_SLIST_REMOVE_AFTER

// extract freebsd_SLIST_REMOVE

void test(struct entry *list, struct entry *absent) {
    __VERIFIER_assume(absent != NULL);
    struct head head;
    head.slh_first = list;
    SLIST_REMOVE(&head, absent, entry, field);
}
