/* The remque of musl and that of glibc leave the same links on equal inputs. */

// include verifier.h
// include two-way.h

// extract musl_remque remque=musl_remque

// extract glibc_remque remque=glibc_remque qelem=node q_forw=next q_back=prev

// twin "next->prev = prev;" => "next->prev = elem;"
// twin 2 "e->prev->next = e->next;" => "e->prev->next = NULL;"
// twin 3 "if (prev != NULL)" => "if (next != NULL && prev != NULL)"

void test(struct node *a, struct node *b, int position) {
    require_same(a, b);
    struct node *taken_from_a = nth(a, position);
    struct node *taken_from_b = nth(b, position);
    __VERIFIER_assume(taken_from_a != NULL);
    musl_remque(taken_from_a);
    glibc_remque(taken_from_b);
    assert_same(taken_from_a != a ? a : a->next, taken_from_b != b ? b : b->next);
}
