//! Programs that several tests ask about.

/// Every element is zeroed, and found to be zero.
pub const SAFE: &str = "\
extern void __VERIFIER_assert(int condition);
struct array { char *s; int n_s; };
void test(struct array a)
{
    for (int i = 0; i < a.n_s; i++)
        a.s[i] = 0;
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == 0);
}
";
