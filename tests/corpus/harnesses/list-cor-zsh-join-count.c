/* The nodes of two joined lists of zsh are as many as those of both together, and the second is empty. */

// include verifier.h
// include zsh-list.h

// extract zsh_joinlists mod_export=static
// rewrite "first->list.first = moveme;" => "first->next = moveme;"
// rewrite "&first->node" => "first"
// rewrite "first->list.last = second->list.last;" => "first->prev = second->prev;"
// rewrite "second->list.first = second->list.last = NULL;" => "second->next = second->prev = NULL;"

// extract zsh_countlinknodes mod_export=static

// twin "anchor->next = moveme;" => "anchor->next = moveme->next;"
// twin 2 "first->prev = second->prev;" => ""
// twin 3 "moveme->prev = anchor;" => ""

void test(LinkNode a, LinkNode b) {
    struct linknode first, second;
    make_list(&first, a);
    make_list(&second, b);
    int sum = countlinknodes(&first) + countlinknodes(&second);
    __VERIFIER_assert(joinlists(&first, &second) == &first);
    assert_well_formed(&first);
    __VERIFIER_assert(countlinknodes(&first) == sum);
    __VERIFIER_assert(countlinknodes(&second) == 0);
}
