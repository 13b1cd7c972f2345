/* Roads between towns, as a matrix of which the struct knows the order; a town has no more roads than there are towns. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *calloc(unsigned long, unsigned long);
extern void *malloc(unsigned long);
extern void free(void *);

struct map {
    int towns;
    unsigned char *road;
};

static struct map *make(int towns) {
    if (towns < 1 || towns > 1000)
        return 0;
    struct map *map = malloc(sizeof *map);
    if (!map)
        return 0;
    map->towns = towns;
    map->road = calloc(towns * towns, 1);
    if (!map->road) {
        free(map);
        return 0;
    }
    return map;
}

static void build(struct map *map, int from, int to) {
    if (from < 0 || from >= map->towns || to < 0 || to >= map->towns)
        return;
    map->road[from * map->towns + to] = 1;
    map->road[to * map->towns + from] = 1;
}

static int roads(const struct map *map, int town) {
    int roads = 0;
    for (int to = 0; to < map->towns; to++)
        if (map->road[town * map->towns + to])
            roads++;
    return roads;
}

void test(void) {
    struct map *map = make(__VERIFIER_nondet_int());
    if (!map)
        return;
    while (__VERIFIER_nondet_int())
        build(map, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    for (int town = 0; town < map->towns; town++)
        __VERIFIER_assert(roads(map, town) <= map->towns);
    free(map->road);
    free(map);
}
