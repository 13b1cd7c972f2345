//! SHA-256 (FIPS 180-4), whole messages only.

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
#[rustfmt::skip]
const ROUNDS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes (FIPS 180-4, 5.3.3).
const INITIAL: [u32; 8] = [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The digest of a message.
pub fn digest(message: &[u8]) -> Digest {
    let (blocks, rest) = message.as_chunks::<64>();
    let mut state = INITIAL;
    // The message ends with a one bit, zeros and its length in bits (FIPS 180-4, 5.1.1): one more block, or two.
    let bits = u64::try_from(message.len()).unwrap_or(u64::MAX).wrapping_mul(8);
    let mut last = rest.to_vec();
    last.push(0x80);
    last.resize(if rest.len() < 56 { 56 } else { 120 }, 0);
    last.extend(bits.to_be_bytes());
    for block in blocks.iter().chain(last.as_chunks::<64>().0) {
        compress(&mut state, block);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    digest
}

#[expect(clippy::many_single_char_names, reason = "the standard's names")]
/// Works one block into the state (FIPS 180-4, 6.2.2).
fn compress(state: &mut [u32; 8], block: &[u8; 64]) {
    // The sixteen words of the message schedule from the current round on.
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for constant in ROUNDS {
        let sum_1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let one = h.wrapping_add(sum_1).wrapping_add(choice).wrapping_add(constant).wrapping_add(words[0]);
        let sum_0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        (h, g, f, e, d, c, b) = (g, f, e, d.wrapping_add(one), c, b, a);
        a = one.wrapping_add(sum_0).wrapping_add(majority);

        let sigma_0 = words[1].rotate_right(7) ^ words[1].rotate_right(18) ^ words[1].wrapping_shr(3);
        let sigma_1 = words[14].rotate_right(17) ^ words[14].rotate_right(19) ^ words[14].wrapping_shr(10);
        let next = words[0].wrapping_add(sigma_0).wrapping_add(words[9]).wrapping_add(sigma_1);
        words.rotate_left(1);
        words[15] = next;
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(add);
    }
}

#[cfg(test)]
mod tests {
    use super::digest;
    use alloc::{format, string::String, vec};

    fn hexadecimal(message: &[u8]) -> String {
        digest(message).map(|byte| format!("{byte:02x}")).concat()
    }

    #[test]
    fn known_messages() {
        assert_eq!(hexadecimal(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hexadecimal(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(
            hexadecimal(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(hexadecimal(&vec![b'a'; 1_000_000]), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
