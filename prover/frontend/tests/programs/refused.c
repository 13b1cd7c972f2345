typedef union { long a; _Bool c; char *b; } both;
struct bits { long x : 40; };
int factorial(int n) { int v[n]; return n <= 1 ? 1 : n * factorial(n - 1); }
int shift(int *a) { a[0] = a[1]; return a[1] = 0; } int deeper(int n) { return n ? factorial(n) : 0; }
void test(int *p, int n) {
    both u;
    struct bits b;
    int i = 0, a[3];
    i = shift(a) + shift(a) + shift(a) + shift(a) + shift(a);
    int b[2] = {i++, i++};
    int v[n][n];
    _Atomic int w;
    double half = 0.5;
    unsigned long q = 0;
    undefined(3);
    deeper(4);
    asm("nop");
    int (*f)(int) = undefined;
    f(2);
    goto nowhere;
}
