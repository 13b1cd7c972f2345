//! C to the program form of Goatherd, and the text of tree models to their data.
//!
//! [`source`] reads a C file and makes one text of it that the parser can read, in which every byte knows the line and column it comes from;
//! [`link`] makes one of several files.
//! [`models`] adds definitions of C library functions to it. [`lower`] makes a program of the text, and [`print`](mod@print) shows it.
//! [`checks`] lists what can fail in it. [`diagnostics`] shows what is wrong with a file, with the source line, [`escape`] what others wrote. [`harness`] writes a first harness for a plain function. [`trees`] reads
//! tree models.

pub mod checks;
pub mod confirm;
pub mod diagnostics;
pub mod escape;
pub mod files;
pub mod harness;
pub mod link;
pub mod lower;
pub mod models;
pub mod print;
pub mod source;
pub mod trees;
