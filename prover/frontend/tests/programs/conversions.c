unsigned short us; struct s { char name[4]; int n; const char *p; };
static struct s tab[] = { { "abc", 1, "x" }, { .n = 3 } };
static const int m[2][2] = { {1,2}, {3,4} };
enum { A, B = A + 3 };
struct q { int *buf; long tail; int head; };
void put(struct q *q, int x) { q->buf[q->tail++] = x; if (q->tail == 10) q->tail = 0; }
typedef int wchar_t;
unsigned long wcslen_(const wchar_t *s) { const wchar_t *a; for (a = s; *s; s++); return s - a; }
int cmp(const void *a, const void *b, unsigned long n) { const unsigned char *l = a, *r = b; for (; n && *l == *r; n--, l++, r++); return n ? *l - *r : 0; }
char *strrchr_(const char *s, int c) { const char *last = 0; do { if (*s == (char)c) last = s; } while (*s++); return (char *)last; }
void test(struct { wchar_t *w; unsigned short n_w; unsigned char k; } i) {
  us++; us += 2; us <<= 1;
  int idx = i.k % 2;
  int v = tab[idx].n + m[1][idx] + sizeof tab + (int)wcslen_(i.w);
  signed char c = 200; c = -c; v = ~v; v = -v; v >>= 2; v = v << 3;
  unsigned u = v; u = -u; u = 1u << 31;
  long d = (&i.w[3]) - i.w;
  int buf[4]; struct q q = { buf, 0, 0 }; put(&q, 3);
  v = (v > 3) + (u == 2) * 2;
  v = v ?: 3;
  char *e = strrchr_("abcabc", 'b');
  if (cmp("ab", "ac", 2) < 0 && e) v = *e++, d = 4;
  else v = !v;
  struct s copy = tab[0], *ps = &copy; ps->n = copy.name[1];
  __builtin_expect(!!(v), 1) ? v++ : v--;
  if (__builtin_expect(!!(v > 2), 0)) v = 0;
  int (*arr)[2] = (void *)0; (void)arr;
  return;
}
