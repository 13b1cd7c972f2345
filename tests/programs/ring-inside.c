/* A ring through a member of each node, as in the kernel of Linux: pointers lead to that member, and the node around it is computed from it. */
#include <stddef.h>

extern void *malloc(size_t size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct ring {
    struct ring *after, *before;
};

struct job {
    int cost;
    struct ring in_queue;
};

#define job_around(ring) ((struct job *)((char *)(ring) - offsetof(struct job, in_queue)))
#define for_each_job(job, queue)                                                                        \
    for (job = job_around((queue)->after); &job->in_queue != (queue); job = job_around(job->in_queue.after))

static void insert(struct ring *new, struct ring *before, struct ring *after) {
    after->before = new;
    new->after = after;
    new->before = before;
    before->after = new;
}

static void take_out(struct ring *old) {
    old->after->before = old->before;
    old->before->after = old->after;
}

void test(void) {
    struct ring queue = {&queue, &queue};
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            break;
        job->cost = __VERIFIER_nondet_int();
        if (job->cost < 0)
            job->cost = 0;
        insert(&job->in_queue, queue.before, &queue);
    }
    struct job *job;
    for_each_job(job, &queue)
        __VERIFIER_assert(job->cost >= 0);
    while (queue.after != &queue) {
        job = job_around(queue.after);
        take_out(&job->in_queue);
        free(job);
    }
    __VERIFIER_assert(queue.before == &queue);
}
