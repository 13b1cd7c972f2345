/* QEMU's qemu_strnlen and OpenBSD's strnlen count the same for every limit that is an int and not negative; where it is
   not above the size of the array, there need be no terminator. */

// include verifier.h
// include strings.h

// extract qemu_qemu_strnlen

// extract openbsd_strnlen strnlen=openbsd_strnlen

void test(struct str a, int limit) {
    __VERIFIER_assume(limit >= 0);
    if (limit > a.n_s)
        require_string(a);
    __VERIFIER_assert((size_t)qemu_strnlen(a.s, limit) == openbsd_strnlen(a.s, (size_t)limit));
}

// twin "i < max_len" => "i <= max_len"
