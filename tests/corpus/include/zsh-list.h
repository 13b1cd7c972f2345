/* The lists of zsh. Their header can be used as a node: `next` is the first and `prev` the last node. Here it is one, where zsh has a
   union. The data are integers, so that two can be equal. */
typedef struct linknode *LinkNode;
typedef struct linknode *LinkList;
struct linknode {
    LinkNode next;
    LinkNode prev;
    int dat;
};
#define firstnode(list) ((list)->next)
#define lastnode(list) ((list)->prev)
#define incnode(node) (node = (node)->next)
#define getdata(node) ((node)->dat)

/* Makes the list of the nodes of an input, which have pointers ahead only. */
static void make_list(LinkList list, LinkNode first) {
    LinkNode before = list;
    list->next = first;
    for (LinkNode node = first; node != NULL; node = node->next) {
        node->prev = before;
        before = node;
    }
    list->prev = before;
}

/* Fails where the links back or the last node are not those of a list. */
static void assert_well_formed(LinkList list) {
    LinkNode before = list;
    for (LinkNode node = list->next; node != NULL; node = node->next) {
        __VERIFIER_assert(node->prev == before);
        before = node;
    }
    __VERIFIER_assert(list->prev == before);
}
