//! SHA-256, and how it is written.

use sha2::{Digest, Sha256};

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A digest in hexadecimal.
pub fn hexadecimal(digest: &[u8; 32]) -> String {
    digest.map(|byte| format!("{byte:02x}")).concat()
}
