typedef unsigned long size_t;
void __VERIFIER_assume(int); void __VERIFIER_assert(int); void __VERIFIER_ignore(void);
struct str { char *s; size_t n_s; };
size_t my_strlen(const char *s) { const char *p = s; while (*p) p++; return p - s; }
void test(struct str a, size_t k) {
  __VERIFIER_assume(k < a.n_s);
  __VERIFIER_assume(a.s[k] == 0);
  size_t n = my_strlen(a.s);
  __VERIFIER_assert(n <= k);
}
