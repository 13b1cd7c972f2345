/* When the only node with a datum is taken out of one of zsh's lists, the datum is not found any more. */

// include verifier.h
// include zsh-list.h

// extract zsh_uremnode mod_export=static
// rewrite "static void *" => "static int"
// rewrite "void *dat;" => "int dat;"
// rewrite "list->list.last" => "list->prev"

// extract zsh_linknodebydatum mod_export=static
// rewrite "void *dat" => "int dat"

// twin "nd->prev->next = nd->next;" => "nd->prev = nd->next;"
// twin 2 "list->prev = nd->prev;" => "list->prev = nd->next;"
// twin 3 "nd->next->prev = nd->prev;" => ";"

void test(LinkNode first, int datum) {
    struct linknode header;
    make_list(&header, first);
    LinkNode only = linknodebydatum(&header, datum);
    __VERIFIER_assume(only != NULL);
    for (LinkNode node = first; node != NULL; node = node->next)
        __VERIFIER_assume(node == only || node->dat != datum);
    __VERIFIER_assert(uremnode(&header, only) == datum);
    assert_well_formed(&header);
    __VERIFIER_assert(linknodebydatum(&header, datum) == NULL);
}
