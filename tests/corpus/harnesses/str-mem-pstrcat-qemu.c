/* QEMU's pstrcat, told the size of the buffer, stays in it. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract qemu_pstrcpy

// extract qemu_pstrcat

// twin "q >= buf + buf_size - 1" => "q >= buf + buf_size"
// twin 2 "buf_size - len, s" => "buf_size, s"

void test(struct str buffer, struct str a) {
    require_string(buffer);
    require_string(a);
    __VERIFIER_assert(pstrcat(buffer.s, buffer.n_s, a.s) == buffer.s);
}
