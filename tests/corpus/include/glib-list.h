/* GLib's doubly linked lists. */
typedef struct _GList GList;
struct _GList {
    gpointer data;
    GList *next;
    GList *prev;
};

static GList *_g_list_alloc(void) {
    GList *node = malloc(sizeof(GList));
    __VERIFIER_assume(node != NULL);
    return node;
}

static void g_list_free_1(GList *node) {
    free(node);
}

/* Sets the pointers back, which an input does not have. */
static void link_back(GList *list) {
    GList *before = NULL;
    for (; list != NULL; list = list->next) {
        list->prev = before;
        before = list;
    }
}

/* Fails where a pointer back is not the inverse of a pointer ahead; tells the length. */
static guint inverse_length(GList *list) {
    GList *before = NULL;
    guint length = 0;
    for (; list != NULL; list = list->next) {
        __VERIFIER_assert(list->prev == before);
        before = list;
        length++;
    }
    return length;
}
