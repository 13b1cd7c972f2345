/* Where Linux replaces a node by one of the same key, all that was found is found. */

// include verifier.h
// include search.h
// include linux-rbtree.h

// extract linux_rb_set_parent
// rewrite "rb->__rb_parent_color = rb_color(rb) | (unsigned long)p;" => "rb->parent = p;"

// extract linux___rb_change_child

// extract linux_rb_replace_node

// extract linux_rb_find __always_inline=inline
// rewrite "const void *key, const struct rb_root *tree,\n\tint (*cmp)(const void *key, const struct rb_node *))" => "int key, const struct rb_root *tree)"
// rewrite "cmp(key, node)" => "compar(key, node->key)"

// twin "__rb_change_child(victim, new, parent, root);" => "__rb_change_child(new, victim, parent, root);"
// twin 2 "*new = *victim;" => "new->parent = victim->parent;"
// twin 3 "struct rb_node *parent = rb_parent(victim);" => "struct rb_node *parent = NULL;"

void test(struct rb_node *root, struct rb_node *replacement, int key) {
    struct rb_root tree;
    tree.rb_node = root;
    __VERIFIER_assume(replacement != NULL);
    struct rb_node *victim = set_parents_on_way(&tree, replacement->key);
    __VERIFIER_assume(victim != NULL && victim->key == replacement->key);
    __VERIFIER_assume(rb_find(key, &tree) != NULL);
    rb_replace_node(victim, replacement, &tree);
    free(victim);
    struct rb_node *found = rb_find(key, &tree);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
