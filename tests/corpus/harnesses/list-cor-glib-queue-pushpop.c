/* Pushed at the tail and then at the head of one of GLib's queues, the second element is popped, and the queue is longer by one. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-list.h

typedef struct _GQueue {
    GList *head;
    GList *tail;
    guint length;
} GQueue;

// extract glib_g_list_last

// extract glib_g_list_append

// extract glib_g_list_prepend

// extract glib_g_queue_push_tail
// rewrite "queue->tail = g_list_append (queue->tail, data);" => "GList *tail = g_list_append (queue->tail, data);\n  queue->tail = tail;"

// extract glib_g_queue_push_head
// rewrite "queue->head = g_list_prepend (queue->head, data);" => "GList *head = g_list_prepend (queue->head, data);\n  queue->head = head;"

// extract glib_g_queue_pop_head

// twin "queue->tail = queue->tail->next;" => "queue->head = queue->tail->next;"
// twin 2 "queue->head->prev = NULL;" => ";"
// twin 3 "queue->length--;" => ""

void test(GList *list, int at_tail, int at_head) {
    GQueue queue;
    link_back(list);
    queue.head = list;
    queue.tail = g_list_last(list);
    queue.length = inverse_length(list);
    guint before = queue.length;
    g_queue_push_tail(&queue, at_tail);
    g_queue_push_head(&queue, at_head);
    __VERIFIER_assert(g_queue_pop_head(&queue) == at_head);
    __VERIFIER_assert(queue.length == before + 1);
    __VERIFIER_assert(inverse_length(queue.head) == before + 1);
    __VERIFIER_assert(queue.tail->data == at_tail && queue.tail->next == NULL);
}
