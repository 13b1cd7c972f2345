/* A queue of jobs, each with room for a message that only others look into. A job that is done leaves the queue, and its room goes with it. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct job {
    struct job *next;
    void *room;
};

struct queue {
    struct queue *next;
    struct job *jobs;
};

static struct job *put(struct job *jobs) {
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        abort();
    job->room = malloc(200);
    if (!job->room)
        abort();
    job->next = jobs;
    return job;
}

static struct queue *start(struct queue *queues) {
    struct queue *queue = malloc(sizeof *queue);
    if (!queue)
        abort();
    queue->jobs = 0;
    do
        queue->jobs = put(queue->jobs);
    while (__VERIFIER_nondet_int());
    queue->next = queues;
    return queue;
}

static void finish(struct queue *queue) {
    struct job *job = queue->jobs;
    do {
        struct job *next = job->next;
        free(job->room);
        if (next)
            next->room = job->room;
        free(job);
        job = next;
    } while (job);
    free(queue);
}

void test(void) {
    struct queue *queues = 0;
    while (__VERIFIER_nondet_int())
        queues = start(queues);
    while (queues) {
        struct queue *next = queues->next;
        finish(queues);
        queues = next;
    }
}
