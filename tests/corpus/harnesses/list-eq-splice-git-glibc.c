/* The list_splice of git and that of glibc leave the same ring. */

// include verifier.h
// include linux-list.h
// include equal-rings.h

// extract git_list_splice list_splice=git_list_splice

// extract glibc_list_splice list_splice=glibc_list_splice
// rewrite "(list_t *add, list_t *head)" => "(struct list_head *add, struct list_head *head)"

// twin "add->prev->next = head->next;\n\t\thead" => "add->prev->next = head;\n\t\thead"
// twin 2 "head->next->prev = add->prev;\n      " => "head->next->prev = add;\n      "
// twin 3 "if (add != add->next)\n    {" => "if (add != add->prev->prev)\n    {"

void test(struct list_head *a, struct list_head *b, struct list_head *added_to_a, struct list_head *added_to_b) {
    struct list_head ring_a, ring_b, list_a, list_b;
    make_equal_rings(&ring_a, a, &ring_b, b);
    make_equal_rings(&list_a, added_to_a, &list_b, added_to_b);
    git_list_splice(&list_a, &ring_a);
    glibc_list_splice(&list_b, &ring_b);
    assert_equal_rings(&ring_a, &ring_b);
}
