/* Rolled to any of its nodes, one of zsh's lists begins with this node and has as many as before. */

// include verifier.h
// include zsh-list.h

// extract zsh_rolllist mod_export=static
// rewrite "l->list.last->next = firstnode(l);" => "l->prev->next = firstnode(l);"
// rewrite "l->list.first->prev = lastnode(l);" => "l->next->prev = lastnode(l);"
// rewrite "l->list.first = nd;" => "l->next = nd;"
// rewrite "l->list.last = nd->prev;" => "l->prev = nd->prev;"
// rewrite "&l->node" => "l"
// rewrite "l->list.last->next = 0;" => "l->prev->next = 0;"

// extract zsh_countlinknodes mod_export=static

// twin "l->next->prev = lastnode(l);" => ""
// twin 2 "l->prev = nd->prev;" => "l->prev = nd;"
// twin 3 "nd->prev = l;" => ""

void test(LinkNode first, int position) {
    struct linknode header;
    make_list(&header, first);
    int before = countlinknodes(&header);
    LinkNode node = first;
    for (; node != NULL && position > 0; position--)
        node = node->next;
    __VERIFIER_assume(node != NULL);
    rolllist(&header, node);
    __VERIFIER_assert(header.next == node);
    assert_well_formed(&header);
    __VERIFIER_assert(countlinknodes(&header) == before);
}
