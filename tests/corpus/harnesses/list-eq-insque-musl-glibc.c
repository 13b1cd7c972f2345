/* The insque of musl and that of glibc leave the same links on equal inputs. */

// include verifier.h
// include two-way.h

// extract musl_insque insque=musl_insque

// extract glibc_insque insque=glibc_insque qelem=node q_forw=next q_back=prev

// twin "e->next->prev = e;" => "e->next->prev = p;"
// twin 2 "((struct node *) elem)->next = next;" => "((struct node *) elem)->next = NULL;"
// twin 3 "e->next = e->prev = 0;" => "e->next = 0;"

void test(struct node *a, struct node *b, struct node *element_of_a, struct node *element_of_b, int position) {
    require_same(a, b);
    __VERIFIER_assume(element_of_a != NULL && element_of_b != NULL && element_of_a->key == element_of_b->key);
    /* Before the first node there is none. */
    struct node *place_in_a = position < 0 ? NULL : nth(a, position);
    struct node *place_in_b = position < 0 ? NULL : nth(b, position);
    musl_insque(element_of_a, place_in_a);
    glibc_insque(element_of_b, place_in_b);
    assert_same(place_in_a != NULL ? a : element_of_a, place_in_b != NULL ? b : element_of_b);
}
