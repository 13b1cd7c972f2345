/* A queue in an array whose capacity is drawn: places go round, as remainders by the capacity. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned long);
extern void free(void *);

struct queue {
    int *items;
    int first, used, capacity;
};

static int put(struct queue *queue, int item) {
    if (queue->used == queue->capacity)
        return 0;
    queue->items[(queue->first + queue->used) % queue->capacity] = item;
    queue->used++;
    return 1;
}

static int take(struct queue *queue, int *item) {
    if (queue->used == 0)
        return 0;
    *item = queue->items[queue->first];
    queue->first = (queue->first + 1) % queue->capacity;
    queue->used--;
    return 1;
}

void test(void) {
    struct queue queue;
    queue.capacity = __VERIFIER_nondet_int();
    if (queue.capacity < 1 || queue.capacity > 4096)
        return;
    queue.items = malloc(queue.capacity * sizeof(int));
    if (!queue.items)
        return;
    queue.first = queue.used = 0;
    while (__VERIFIER_nondet_int()) {
        int item;
        if (__VERIFIER_nondet_int())
            put(&queue, __VERIFIER_nondet_int());
        else
            take(&queue, &item);
        __VERIFIER_assert(queue.first >= 0 && queue.first < queue.capacity);
        __VERIFIER_assert(queue.used <= queue.capacity);
    }
    free(queue.items);
}
