/* The list_add of Linux and that of glibc leave the same ring. */

// include verifier.h
// include linux-list.h
// include equal-rings.h

#define atomic_write_barrier()

// extract linux___list_add

// extract linux_list_add list_add=linux_list_add

// extract glibc_list_add list_add=glibc_list_add
// rewrite "(list_t *newp, list_t *head)" => "(struct list_head *newp, struct list_head *head)"

// twin "newp->prev = head;" => "newp->prev = head->prev;"
// twin 2 "__list_add(new, head, head->next);" => "__list_add(new, head->prev, head);"
// twin 3 "head->next->prev = newp;" => "head->prev = newp;"

void test(struct list_head *a, struct list_head *b, struct list_head *entry_of_a, struct list_head *entry_of_b) {
    __VERIFIER_assume(entry_of_a != NULL && entry_of_b != NULL && entry_of_a->key == entry_of_b->key);
    struct list_head ring_a, ring_b;
    make_equal_rings(&ring_a, a, &ring_b, b);
    linux_list_add(entry_of_a, &ring_a);
    glibc_list_add(entry_of_b, &ring_b);
    assert_equal_rings(&ring_a, &ring_b);
}
