/* After a rotation of musl's tsearch the stored height of the new root is one more than the larger one of its children. */

// include verifier.h
// include musl-tree.h

// extract musl_height

// extract musl_rot
// rewrite "void **p" => "struct node **p"
// rewrite "struct node *y = x->a[dir];" => "struct node *y = *child(x, dir);"
// rewrite "struct node *z = y->a[!dir];" => "struct node *z = *child(y, !dir);"
// rewrite "height(y->a[dir])" => "height(*child(y, dir))"
// rewrite "x->a[dir] = z->a[!dir];" => "*child(x, dir) = *child(z, !dir);"
// rewrite "y->a[!dir] = z->a[dir];" => "*child(y, !dir) = *child(z, dir);"
// rewrite "z->a[!dir] = x;" => "*child(z, !dir) = x;"
// rewrite "z->a[dir] = y;" => "*child(z, dir) = y;"
// rewrite "x->a[dir] = z;" => "*child(x, dir) = z;"
// rewrite "y->a[!dir] = x;" => "*child(y, !dir) = x;"

// twin "y->h = hz+2;" => "y->h = hz+1;"
// twin 2 "if (hz > height(*child(y, dir)))" => "if (hz >= height(*child(y, dir)))"
// twin 3 "z->h = hz+1;" => "z->h = hz;"

void test(struct node *root, _Bool side) {
    __VERIFIER_assume(root != NULL);
    struct node *y = *child(root, side);
    __VERIFIER_assume(y != NULL);
    require_heights(y);
    /* The deeper child is balanced itself. */
    int inner = height(*child(y, !side)), outer = height(*child(y, side));
    __VERIFIER_assume(inner - outer <= 1 && outer - inner <= 1);
    rot(&root, root, side);
    int left = height(root->left), right = height(root->right);
    __VERIFIER_assert(root->h == (left > right ? left : right) + 1);
}
