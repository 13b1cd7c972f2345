//! Random words. Each path has a stream of its own, so that a path depends on the seed and on its number alone.
//!
//! The generator is `ChaCha` with 20 rounds: its output is fixed by a published specification and the library promises that it stays the
//! same (value stability), its streams are independent, and its words are as good as any: exactly uniform drawing deserves no less.

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

/// The random words of one path.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// The words of the path with this number, for a seed. The seed is the first eight bytes of the key, least first, and all others are 0.
    pub fn new(seed: u64, path: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha20Rng::from_seed(key);
        generator.set_stream(path);
        Self(generator)
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::Stream;

    #[test]
    fn words_are_the_same_everywhere() {
        // The first block of ChaCha20 with key, nonce and counter 0 begins with 76 b8 e0 ad a0 f1 3d 90 (RFC 8439, A.1).
        assert_eq!(Stream::new(0, 0).word(), 0x903d_f1a0_ade0_b876);
        assert_ne!(Stream::new(0, 1).word(), Stream::new(0, 0).word());
        assert_ne!(Stream::new(1, 0).word(), Stream::new(0, 0).word());
    }
}
