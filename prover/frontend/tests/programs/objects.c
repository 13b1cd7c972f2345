#define MAX 10
enum color { RED, GREEN = 5, BLUE };
static const unsigned char table[] = { 1, 2, 3, [5] = 9 };
static int counter;
const int limit = 42;
typedef struct { int x, y; struct { short a; char b; } in; } point;
static inline point make(int x, int y) { point p = { x, y, .in.b = 3 }; return p; }
static unsigned sum(unsigned n, unsigned acc) { return n == 0 ? acc : sum(n - 1, acc + n); }
static void bump(int *p) { (*p)++; counter += 2; }
int isd(int c) { return c >= '0' && c <= '9'; }
int sw(int x) { switch (x) { case 1: x = 3; case 2: x += 2; break; default: x = 7; break; case 4 ... 6: return 1; } return x; }
void test(struct { unsigned char *s; unsigned n_s; int extra; } in, int v, _Bool flag) {
  point p = make(v, 2);
  p.x += p.y;
  int local = 3;
  bump(&local);
  char buf[4] = "ab";
  int grid[2][3] = { {1,2}, {3} };
  unsigned char c = in.s[0];
  c++;
  if (isd(c) && !flag) local = sw(v);
  in.s[v] = table[v & 3];
  int t = in.extra ? limit : -1;
  do { t--; if (t == 3) continue; if (t == 7) goto out; } while (t > 0);
out:
  grid[1][v] = buf[v];
  while (v-- != 0) { int q; if (v) q = 3; else q = 4; t += q; }
  assert(sum(v, 0) >= counter);
  assert(sizeof(point) == 12 && p.in.b == 3);
  const char *msg = "hello";
  t = msg[1] ? BLUE : v;
  p.in.a = t;
}
