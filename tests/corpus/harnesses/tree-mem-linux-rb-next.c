/* Linux's rb_next of any node is safe where the parents up to the root are set. */

// include verifier.h
// include search.h
// include linux-rbtree.h

// extract linux_rb_next

// twin "while ((parent = rb_parent(node)) && node == parent->rb_right)" => "while (node == (parent = rb_parent(node))->rb_right)"
// twin 2 "if (node->rb_right) {" => "if (node->rb_left) {"

void test(struct rb_node *root, int place) {
    struct rb_root tree;
    tree.rb_node = root;
    struct rb_node *node = set_parents_on_way(&tree, place);
    __VERIFIER_assume(node != NULL);
    struct rb_node *next = rb_next(node);
    __VERIFIER_assert(next != node);
    __VERIFIER_assert(next == NULL || next->rb_left == NULL || node->rb_right == NULL);
}
