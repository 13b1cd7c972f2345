/* Teams in a circle: the one whose turn it is takes over the players of the next one, which leaves, until a single team is left. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct player {
    int number;
    struct player *next;
};

struct team {
    struct player *players;
    struct team *left;
};

static void *get(unsigned long size) {
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static struct team *gather(void) {
    struct team *team = 0;
    do {
        struct team *other = get(sizeof *other);
        other->players = get(sizeof *other->players);
        other->players->number = __VERIFIER_nondet_int();
        other->players->next = 0;
        other->left = team ? team->left : other;
        if (team)
            team->left = other;
        team = other;
    } while (__VERIFIER_nondet_int());
    return team;
}

static void take_over(struct team *team, struct player *players) {
    struct player **place = &team->players;
    while (players) {
        struct player *player = players;
        players = player->next;
        while (*place && (*place)->number < player->number)
            place = &(*place)->next;
        player->next = *place;
        *place = player;
    }
}

void test(void) {
    struct team *team = gather();
    while (team->left != team) {
        struct team *next = team->left;
        struct player *players = next->players;
        team->left = next->left;
        free(next);
        take_over(team, players);
        team = team->left;
    }
    struct player *player = team->players;
    free(team);
    while (player) {
        struct player *next = player->next;
        free(player);
        player = next;
    }
}
