/* A tail queue by macros, as in BSD: the first element knows the header by a pointer to a link. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

#define HEAD(name, type) struct name { struct type *first; struct type **last; }
#define ENTRY(type) struct { struct type *next; struct type **before; }
#define INIT(head) do { (head)->first = 0; (head)->last = &(head)->first; } while (0)
#define INSERT_TAIL(head, element, field) do { \
        (element)->field.next = 0; \
        (element)->field.before = (head)->last; \
        *(head)->last = (element); \
        (head)->last = &(element)->field.next; \
    } while (0)
#define REMOVE(head, element, field) do { \
        if ((element)->field.next) \
            (element)->field.next->field.before = (element)->field.before; \
        else \
            (head)->last = (element)->field.before; \
        *(element)->field.before = (element)->field.next; \
    } while (0)

struct job { int number; ENTRY(job) jobs; };
HEAD(queue, job);

void test(int skip) {
    struct queue queue;
    INIT(&queue);
    int number = 0, removed = 0;
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof(struct job));
        if (!job)
            break;
        job->number = number++;
        INSERT_TAIL(&queue, job, jobs);
    }
    for (struct job *job = queue.first, *next; job; job = next) {
        next = job->jobs.next;
        if (job->number == skip) {
            REMOVE(&queue, job, jobs);
            free(job);
            removed = 1;
        }
    }
    struct job **link = &queue.first;
    while (*link) {
        __VERIFIER_assert((*link)->number != skip);
        __VERIFIER_assert((*link)->jobs.before == link);
        link = &(*link)->jobs.next;
        number--;
    }
    __VERIFIER_assert(queue.last == link);
    __VERIFIER_assert(number == removed);
}
