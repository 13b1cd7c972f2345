extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
typedef unsigned long word;
typedef struct { int low; char tag; word high; } pair;
struct outer { char c; struct { short s; int i; }; union { int a; unsigned b; } u; pair p[3]; unsigned f : 3, : 2; int g : 5; };
struct packed { char c; int i; } __attribute__((packed));
struct aligned { char c; } __attribute__((aligned(16)));
enum color { RED, GREEN = 7, BLUE };
enum sign { MINUS = -1, PLUS = 1 };
static const char text[] = "hello" " world";
static int table[] = { [2] = 5, 1, 2 };
static enum color favourite = BLUE;
static pair numbers[] = { { 1, 'a', 3 }, { .high = 4 } };
static int twice(int x) { return x + x; }
static int old(a, b) int a; char b; { return a + b; }
struct named { char name[8]; int m[2][3]; const int k; struct { int z[2]; } in; };
static struct named unnamed;
static const struct named named = { "x" };
static int later[5] = { 1, 2 };
static int early(void) { return later[1]; }
typedef int row[3];
static int qualified(int n) {
    const struct named *p = &unnamed;
    const char *c = p->name + 1;
    c = &p->name[2];
    const int *q = *p->m;
    n = (*(p->m + 1))[2] + p->in.z[1] + early();
    q = p->in.z + 1;
    const struct named both[2] = { { "a" } };
    c = both[1].name + n;
    q = named.m[1] + 1;
    const row r = { 1 };
    const row *all = &r;
    q = *all + 1;
    const char *const names[] = { "x", "yy" };
    c = n ? p->name : names[1];
    const void *v = n ? (const void *)q : c;
    return v != 0 && c != 0 && q != 0;
}
static unsigned char narrow(unsigned char c) { return c + 1; }
static int (*chosen)(int) = twice;
static int apply(int (*f)(int), int x) { return f(x); }
static long long wide(long long x, unsigned long y, signed char c, const char *s, int m[static 2]) { return x + (long)y + c + s[0] + m[1]; }
static void nothing(void) {}
struct tagged { int tag; union { signed char c; int i; struct { short s, t; }; }; int z; };
static const struct tagged tagged[2] = { { .c = 1, .z = 2 }, { 3, { .i = 4 } } };

static long unions(void)
{
    struct tagged x = { .t = 5, 6 };
    x = (struct tagged){};
    __typeof__(pair) *none = 0;
    __builtin_prefetch(none, 0);
    return x.i + tagged[1].i + __alignof__(x.z) + __alignof__(tagged) + __alignof__ x + __builtin_ffs(x.tag) + __builtin_printf("%d", x.z);
}

void test(int n, char c, short s) {
    struct outer o = { .c = 1 };
    pair p = { 1 }, *q = &p, r[2] = { { 1 }, { 2 } };
    const char *t = text;
    int word = 3;
    unsigned u = 1;
    struct packed k = { 1, 2 };
    register int fast = 4;
    static int counter = sizeof(pair);
    for (int i = 0, j = 1; i < 2; i++, j += 2) __VERIFIER_assert(i + j >= 0);
    for (int i = 0; i < 2; i++) if (i) u += i; else u -= i;
    for (int i = 0; i < 1; i++) for (char i = 0; i < 1; i++) u += sizeof i;
again:
    if (c) n = c + s; else n = -s;
    switch (n) {
    case RED: u <<= 2; break;
    case GREEN + 1: { int n2 = ~n; u |= n2; } break;
    case 100 ... 110: u ^= 5u;
    default: ;
    }
    if (u > 5 && counter++ < 1) goto again;
    o.f = 5; o.g = -3; u = o.f + 1; n = o.g * 2; n += (o.f = 2); o.f++;
    o.u.b = 4; n = o.u.a;
    n = ({ int n = 3; short z = n; z; });
    n = ({ struct { int a; } in = { 4 }; in.a; });
    n = u ? c : s; n = u > 3 ? -1 : 'a'; t = n ? t : 0; t = n ? (void *)0 : t;
    n = _Generic(u, unsigned: 1, int: 2) + _Generic(c + 1, int: 3, default: 4);
    word = sizeof(struct outer) + sizeof o.p + sizeof text + _Alignof(pair) + __builtin_offsetof(struct outer, p[1].high) + sizeof(int[3]);
    n = (int)sizeof "abc" + (int)(word & 0xffffffffffLL) + 0x80000000 + 2147483648 + 077u + 'a' + L'b';
    q = &r[1]; q->tag = 'x'; n = q - r; n = q->low + (*q).low + r[0].low + !q;
    int m[2][3] = { { 1, 2, 3 }, { 4 } };
    int (*row)[3] = m; int *flat = &m[1][0]; n = row[1][2] + (*row)[1] + flat[0] + sizeof m[0];
    n = apply(twice, 3) + chosen(4) + (*chosen)(5) + old(1, 'c') + narrow(255);
    int two[2] = { 1, 2 };
    n += wide(1, 2, 3, "abc", two) > 3;
    n = qualified(n);
    nothing(); (void)n; n = (nothing(), 3); u = (unsigned char)n; c = (signed char)u; c += 1; c++; s = s << 3; s *= 2;
    favourite = GREEN; enum sign sg = MINUS; n = sg < 0; n = favourite > RED; unsigned e = favourite;
    { enum { RED = 99, INNER }; int color = RED; n = color + INNER; struct outer { char a[3]; } o = { { 1 } }; n = sizeof o + o.a[1]; }
    { typedef char word; word w = 1; n = w + sizeof(word); }
    { typedef struct { char z; } pair; pair p = { 1 }; n = p.z + sizeof p; }
    pair cp = (pair){ .low = 3 }; n = ((pair){ 4 }).low + cp.low + (int)numbers[0].high + table[4] + sizeof table;
    int v[n > 0 && n < 10 ? n : 1]; v[0] = 1; n = v[0] + (sizeof v > 0);
    n = fast + k.i + k.c + (int)sizeof k + (int)sizeof(struct aligned); 
    __typeof__(o.p) other; other[0].low = 3; __typeof__(n + 1u) tu = 3; n = other[0].low + tu; 
    do n--; while (n > 100);
    _Bool b = n; b = !b; n = b + (b ? 1 : 2L);
    word = (unsigned long)1 << 40; n = word >> 38; n = -5 / 2 + -5 % 3 + (5 == 5) + (1 ? 2 : 3) + (0 || 1);
    const int konst = 4; n = konst + e; const pair *cpp = &p; n = cpp->low; const char *const cc = t; n = *cc;
    if (({ int y = n; y > 3; })) { int n = 4; n++; }
    while (n > 3) n--;
    unions();
}
