/* A ring of albums, each of which has a ring of tracks: both headers and links are members of structs. */
#include <stddef.h>

extern void *malloc(size_t size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct ring {
    struct ring *next, *prev;
};

struct track {
    struct ring link;
};

struct album {
    struct ring tracks;
    struct ring link;
};

static void empty(struct ring *header) {
    header->next = header;
    header->prev = header;
}

static void insert(struct ring *link, struct ring *header) {
    header->next->prev = link;
    link->next = header->next;
    link->prev = header;
    header->next = link;
}

static void unlink(struct ring *link) {
    link->next->prev = link->prev;
    link->prev->next = link->next;
}

void test(void) {
    struct ring albums;
    empty(&albums);
    while (__VERIFIER_nondet_int()) {
        struct album *album = malloc(sizeof *album);
        if (!album)
            break;
        empty(&album->tracks);
        while (__VERIFIER_nondet_int()) {
            struct track *track = malloc(sizeof *track);
            if (!track)
                break;
            insert(&track->link, &album->tracks);
        }
        insert(&album->link, &albums);
    }
    for (struct ring *link = albums.next; link != &albums; link = link->next) {
        struct album *album = (struct album *)((char *)link - offsetof(struct album, link));
        for (struct ring *other = album->tracks.next; other != &album->tracks; other = other->next)
            __VERIFIER_assert(other->next->prev == other);
    }
    while (albums.next != &albums) {
        struct album *album = (struct album *)((char *)albums.next - offsetof(struct album, link));
        unlink(&album->tracks);
        free(album);
    }
}
