/* A rotation to the left, as Linux's insertion does it, keeps what is found. */

// include verifier.h
// include search.h
// include linux-rbtree.h

// extract linux_rb_set_parent_color
// rewrite "rb->__rb_parent_color = (unsigned long)p | color;" => "rb->parent = p;\n\trb->color = color;"

// extract linux___rb_change_child

// extract linux___rb_rotate_set_parents
// rewrite "new->__rb_parent_color = old->__rb_parent_color;" => "new->parent = old->parent;\n\tnew->color = old->color;"

// extract linux_rb_find __always_inline=inline
// rewrite "const void *key, const struct rb_root *tree,\n\tint (*cmp)(const void *key, const struct rb_node *))" => "int key, const struct rb_root *tree)"
// rewrite "cmp(key, node)" => "compar(key, node->key)"

static void rotate_left(struct rb_node *upper, struct rb_root *root) {
    struct rb_node *lower = upper->rb_right;
    struct rb_node *inner = lower->rb_left;
    upper->rb_right = inner;
    lower->rb_left = upper;
    if (inner != NULL)
        rb_set_parent_color(inner, upper, RB_BLACK);
    __rb_rotate_set_parents(upper, lower, root, RB_RED);
}

// twin "__rb_change_child(old, new, parent, root);" => "__rb_change_child(new, old, parent, root);"
// twin 2 "upper->rb_right = inner;" => "upper->rb_right = NULL;"
// twin 3 "if (parent->rb_left == old)" => "if (parent->rb_right == old)"

void test(struct rb_node *root, int place, int key) {
    struct rb_root tree;
    tree.rb_node = root;
    struct rb_node *upper = set_parents_on_way(&tree, place);
    __VERIFIER_assume(upper != NULL && upper->rb_right != NULL);
    /* These two are in order; nothing is known of the others. */
    __VERIFIER_assume(upper->key < upper->rb_right->key);
    __VERIFIER_assume(rb_find(key, &tree) != NULL);
    rotate_left(upper, &tree);
    struct rb_node *found = rb_find(key, &tree);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
