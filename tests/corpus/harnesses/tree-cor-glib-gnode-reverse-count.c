/* A node whose children GLib reverses has as many, and their two directions are inverse. */

// include verifier.h
// include glib.h
// include glib-node.h

// extract glib_g_node_reverse_children

// extract glib_g_node_n_children

// twin "last->prev = child;" => ""
// twin 2 "while (child)" => "while (child && child->next)"

void test(GNode *node) {
    __VERIFIER_assume(node != NULL);
    link_children(node);
    guint before = g_node_n_children(node);
    g_node_reverse_children(node);
    __VERIFIER_assert(g_node_n_children(node) == before);
    GNode *last = NULL;
    for (GNode *child = node->children; child != NULL; child = child->next) {
        __VERIFIER_assert(child->prev == last && child->parent == node);
        last = child;
    }
}
