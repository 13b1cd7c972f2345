#define NULL ((void*)0)
typedef unsigned long size_t;
void *malloc(size_t); void free(void *); void *calloc(size_t, size_t);
struct node { int v; struct node *next; };
struct in { int *x; int n_x; };
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
char *my_strdup(const char *s) { size_t n = 0; while (s[n]) n++; char *r = malloc(n + 1); if (r == NULL) return r; for (size_t i = 0; i <= n; i++) r[i] = s[i]; return r; }
struct pair { int a, b; };
struct pair swap(struct pair p) { struct pair q = { p.b, p.a }; return q; }
int max(int *x, int n) { int m = x[0]; for (int i = 1; i < n; ++i) if (x[i] > m) m = x[i]; return m; }
int even(int n) { if (n == 0) return 1; if (n == 1) return 0; return even(n - 2); }
int kr(a, b) int a; char *b; { return a + *b; }
void test(struct in a, struct node *l, struct pair *one) {
  struct node *n = xmalloc(sizeof *n);
  n->v = 3; n->next = l;
  int *z = calloc(a.n_x, sizeof(int));
  struct pair p = { 1, 2 };
  p = swap(p);
  if (one) { *one = p; one->a += 2; one->b++; }
  char *c = my_strdup("abc");
  free(c); free(n); free(z);
  __VERIFIER_assume(a.n_x > 0);
  int m = max(a.x, a.n_x);
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= k && k < a.n_x);
  __VERIFIER_assert(a.x[k] <= m);
  int swapped, tmp;
  do { swapped = 0; for (int i = 0; i + 1 < a.n_x; i++) if (a.x[i] > a.x[i+1]) { tmp = a.x[i]; a.x[i] = a.x[i+1]; a.x[i+1] = tmp; swapped = 1; } } while (swapped);
  k = even(k) ? kr(1, "x") : ({ int y = k; y + 1; });
  int arr[100] = {1, 2};
  int **pp = &z; **pp = 4;
  _Bool b = k; b |= 2;
  a.x[k++] = arr[m & 1 ? 1 : 2];
}
