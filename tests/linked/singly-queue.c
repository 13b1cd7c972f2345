/* A queue given as its header: after the last element has been found, one is put behind it. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct element { int value; struct element *next; };
struct queue { struct element *first, *last; };

void test(struct queue *queue) {
    if (!queue)
        return;
    queue->last = queue->first;
    while (queue->last && queue->last->next)
        queue->last = queue->last->next;
    struct element *element = malloc(sizeof *element);
    if (!element)
        return;
    element->next = 0;
    element->value = 5;
    if (queue->last)
        queue->last->next = element;
    else
        queue->first = element;
    queue->last = element;
    struct element *at = queue->first;
    while (at->next)
        at = at->next;
    __VERIFIER_assert(at == queue->last);
    __VERIFIER_assert(at->value == 5);
}
