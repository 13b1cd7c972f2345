typedef unsigned long size_t;
struct A { char *s; size_t n_s; }; struct B { char *d; int n_d; };
char *my_strcpy(char *d, const char *s) { char *r = d; while ((*d++ = *s++)); return r; }
int my_strcmp(const char *l, const char *r) { for (; *l==*r && *l; l++, r++); return *(unsigned char *)l - *(unsigned char *)r; }
void *my_memmove(void *dest, const void *src, size_t n) {
  char *d = dest; const char *s = src;
  if (d == s) return d;
  if (d < s) { for (; n; n--) *d++ = *s++; }
  else { while (n) n--, d[n] = s[n]; }
  return dest;
}
void test(struct A a, struct B b) {
  int i;
  for (i = 0; ; i++) { if (i >= (long)a.n_s) __VERIFIER_ignore(); if (i >= b.n_d) __VERIFIER_ignore(); if (!a.s[i]) break; }
  my_strcpy(b.d, a.s);
  assert(my_strcmp(a.s, b.d) == 0);
  my_memmove(a.s, a.s + 1, a.n_s - 1);
}
