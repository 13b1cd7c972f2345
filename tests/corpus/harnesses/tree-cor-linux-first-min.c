/* Linux's first node of a tree is reached along left links only and has no left child; in a search tree its key is the least that is found. */

// include verifier.h
// include search.h
// include linux-rbtree.h

// extract linux_rb_first

// extract linux_rb_find __always_inline=inline
// rewrite "const void *key, const struct rb_root *tree,\n\tint (*cmp)(const void *key, const struct rb_node *))" => "int key, const struct rb_root *tree)"
// rewrite "cmp(key, node)" => "compar(key, node->key)"

// twin "while (n->rb_left)" => "while (n->rb_left && n->rb_left->rb_left)"
// twin 2 "if (!n)\n\t\treturn NULL;" => ""
// twin 3 "while (n->rb_left)\n\t\tn = n->rb_left;" => "while (n->rb_left || n->rb_right)\n\t\tn = n->rb_left ? n->rb_left : n->rb_right;"

void test(struct rb_node *root) {
    struct rb_root tree;
    tree.rb_node = root;
    struct rb_node *first = rb_first(&tree);
    __VERIFIER_assert((first == NULL) == (root == NULL));
    if (root == NULL)
        return;
    struct rb_node *node = root;
    for (; node->rb_left != NULL; node = node->rb_left)
        __VERIFIER_assume(node->rb_left->key < node->key);
    __VERIFIER_assert(node == first);
    __VERIFIER_assert(rb_find(first->key, &tree) == first);
}
