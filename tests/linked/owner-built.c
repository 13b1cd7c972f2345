/* A queue whose nodes all point to it: a node is taken off without being told from which queue. */
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct queue {
    struct node *first, *last;
};

struct node {
    struct node *next;
    struct queue *owner;
};

static void append(struct queue *queue, struct node *node) {
    node->next = 0;
    node->owner = queue;
    if (queue->last)
        queue->last->next = node;
    else
        queue->first = node;
    queue->last = node;
}

/* Takes the node, which is the first one, off the queue that it is in. */
static void shift(struct node *node) {
    struct queue *queue = node->owner;
    queue->first = node->next;
    if (!queue->first)
        queue->last = 0;
    node->owner = 0;
}

void test(void) {
    struct queue queue = {0, 0};
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        append(&queue, node);
    }
    for (struct node *node = queue.first; node; node = node->next)
        __VERIFIER_assert(node->owner == &queue);
    while (queue.first) {
        struct node *node = queue.first;
        shift(node);
        __VERIFIER_assert(queue.first != node && !node->owner);
        free(node);
    }
    __VERIFIER_assert(!queue.last);
}
