/* Queues in a list, each of which begins with the header of its own ring of jobs: all are worked off, the jobs before their queue. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct job {
    struct job *next, *prev;
    int minutes;
};

struct queue {
    struct job jobs;
    struct queue *after;
};

static void *get(unsigned long size) {
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static void wait(struct queue *queue, int minutes) {
    struct job *job = get(sizeof *job);
    job->minutes = minutes;
    job->prev = &queue->jobs;
    job->next = queue->jobs.next;
    job->next->prev = job;
    queue->jobs.next = job;
}

static struct queue *open(struct queue *after) {
    struct queue *queue = get(sizeof *queue);
    queue->jobs.next = queue->jobs.prev = &queue->jobs;
    queue->jobs.minutes = 0;
    while (__VERIFIER_nondet_int())
        wait(queue, __VERIFIER_nondet_int());
    queue->after = after;
    return queue;
}

static void close(struct queue *queue) {
    struct job *job = queue->jobs.next;
    while (job) {
        struct job *next = job->next;
        free(job);
        job = next;
    }
    free(queue);
}

void test(void) {
    struct queue *queues = 0;
    while (__VERIFIER_nondet_int())
        queues = open(queues);
    while (queues) {
        struct queue *after = queues->after;
        close(queues);
        queues = after;
    }
}
