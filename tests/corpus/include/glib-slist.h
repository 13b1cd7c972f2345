/* GLib's singly linked lists. */
typedef struct _GSList GSList;
struct _GSList {
    gpointer data;
    GSList *next;
};

/* GLib ends the program where there is no memory. */
static GSList *_g_slist_alloc(void) {
    GSList *node = malloc(sizeof(GSList));
    __VERIFIER_assume(node != NULL);
    return node;
}

static void _g_slist_free1(GSList *node) {
    free(node);
}

static void g_slist_free_1(GSList *node) {
    free(node);
}

/* Keeps only lists of the same elements. */
static void require_same(GSList *a, GSList *b) {
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        __VERIFIER_assume(a->data == b->data);
    __VERIFIER_assume(a == NULL && b == NULL);
}

static int is_sorted(GSList *list) {
    for (; list != NULL && list->next != NULL; list = list->next)
        if (list->data > list->next->data)
            return 0;
    return 1;
}
