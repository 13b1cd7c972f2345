/* A queue whose entries point to the link that leads to them: after an entry is taken out they still do, and so does the header. */
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct job {
    struct job *next;
    struct job **back;
};

struct queue {
    struct job *first;
    struct job **last;
};

static void take_out(struct queue *queue, struct job *job) {
    if (job->next)
        job->next->back = job->back;
    else
        queue->last = job->back;
    *job->back = job->next;
}

void test(struct job *jobs, int place) {
    struct queue queue;
    queue.first = jobs;
    struct job **link = &queue.first;
    for (; *link; link = &(*link)->next)
        (*link)->back = link;
    queue.last = link;

    struct job *job = queue.first;
    for (; job && place > 0; place--)
        job = job->next;
    __VERIFIER_assume(job != 0);
    take_out(&queue, job);

    for (link = &queue.first; *link; link = &(*link)->next) {
        __VERIFIER_assert(*link != job);
        __VERIFIER_assert((*link)->back == link);
    }
    __VERIFIER_assert(queue.last == link);
}
