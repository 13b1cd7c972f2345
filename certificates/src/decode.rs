//! How the types of this crate are declared, and that each is read part by part, in the order of its declaration (`spec/format.md#encoding`).
//!
//! What numbers, strings and lists look like is not said here: whoever reads a certificate implements [`Source`], and [`Decode`] for these.
//! A number is an identifier of a term only once it has been looked up: it is read as a [`TableTerm`], and of these there are none but
//! positions of the certificate's table.

use crate::term::Term;

/// Where values are read from.
pub trait Source: Sized {
    /// Why a value cannot be read.
    type Failure;

    /// Reads the number of a variant, from 0, and then what the list says at this position; fails where the list has none.
    fn variant<T>(&mut self, variants: &[Read<Self, T>]) -> Result<T, Self::Failure>;

    /// Reads the number of a term of this kind; fails where the table of terms, as far as it has been read, has no such entry.
    fn term(&mut self, kind: TermKind) -> Result<TableTerm, Self::Failure>;
}

/// Which terms an identifier counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermKind {
    /// Atoms.
    Atom,
    /// Linear terms; each atom is one, too.
    Linear,
    /// Arrays.
    Array,
}

/// How many terms of each kind the table has, as far as it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableLength {
    atoms: u32,
    linears: u32,
    arrays: u32,
}

impl TableLength {
    /// No terms.
    pub const NONE: Self = Self {
        atoms: 0,
        linears: 0,
        arrays: 0,
    };

    /// Counts one more entry of the table.
    pub fn add(&mut self, term: &Term) {
        let (atoms, linears, arrays) = match term {
            Term::Atom(_) => (1, 1, 0),
            Term::Linear(_) => (0, 1, 0),
            Term::Array(_) => (0, 0, 1),
        };
        // Where a count ends, more entries are none that can be named.
        self.atoms = self.atoms.saturating_add(atoms);
        self.linears = self.linears.saturating_add(linears);
        self.arrays = self.arrays.saturating_add(arrays);
    }

    /// The term with this number, if the table has it.
    pub fn term(&self, kind: TermKind, number: u32) -> Option<TableTerm> {
        let count = match kind {
            TermKind::Atom => self.atoms,
            TermKind::Linear => self.linears,
            TermKind::Array => self.arrays,
        };
        (number < count).then_some(TableTerm(number))
    }
}

/// The number of a term that stands in the certificate's table, so that it means the same wherever it is read
/// (`spec/calculus.md#terms`). Only [`TableLength::term`] makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableTerm(u32);

impl TableTerm {
    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// Reads one value.
pub type Read<S, T> = fn(&mut S) -> Result<T, <S as Source>::Failure>;

/// A type whose values can be read from a source. Every value takes at least one byte.
pub trait Decode<S: Source>: Sized {
    /// Reads one value.
    fn decode(source: &mut S) -> Result<Self, S::Failure>;
}

/// Declares structures, each read as its fields in this order.
macro_rules! structures {
    ($(
        $(#[$about:meta])*
        pub struct $name:ident $(<$parameter:ident $(= $default:ty)?>)? {
            $($(#[$about_field:meta])* pub $field:ident: $kind:ty,)*
        }
    )*) => { $(
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        $(#[$about])*
        pub struct $name $(<$parameter $(= $default)?>)? {
            $($(#[$about_field])* pub $field: $kind,)*
        }

        impl<S: $crate::decode::Source $(, $parameter)?> $crate::decode::Decode<S> for $name $(<$parameter>)?
        where
            $($kind: $crate::decode::Decode<S>,)*
        {
            fn decode(source: &mut S) -> Result<Self, S::Failure> {
                Ok(Self { $($field: $crate::decode::Decode::decode(source)?,)* })
            }
        }
    )* };
}
pub(crate) use structures;

/// Declares enumerations, each read as the number of a variant, from 0, and then its fields in this order.
macro_rules! enumerations {
    ($(
        $(#[$about:meta])*
        pub enum $name:ident $(<$parameter:ident $(= $default:ty)?>)? {
            $(
                $(#[$about_variant:meta])*
                $variant:ident
                $(($only:ty))?
                $({ $($(#[$about_field:meta])* $field:ident: $kind:ty,)* })?,
            )*
        }
    )*) => { $(
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        $(#[$about])*
        pub enum $name $(<$parameter $(= $default)?>)? {
            $($(#[$about_variant])* $variant $(($only))? $({ $($(#[$about_field])* $field: $kind,)* })?,)*
        }

        impl<S: $crate::decode::Source $(, $parameter)?> $crate::decode::Decode<S> for $name $(<$parameter>)?
        where
            $($($only: $crate::decode::Decode<S>,)? $($($kind: $crate::decode::Decode<S>,)*)?)*
        {
            fn decode(source: &mut S) -> Result<Self, S::Failure> {
                source.variant(const { &[$(
                    |_source| Ok(Self::$variant
                        $((<$only as $crate::decode::Decode<S>>::decode(_source)?))?
                        $({ $($field: $crate::decode::Decode::decode(_source)?,)* })?),
                )*] })
            }
        }
    )* };
}
pub(crate) use enumerations;

/// Declares dense identifiers, each a position in the table that lists the things of one kind.
macro_rules! positions {
    ($($(#[$about:meta])* $name:ident,)*) => { $(
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        $(#[$about])*
        pub struct $name(pub u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                usize::try_from(self.0).unwrap_or(usize::MAX)
            }

            /// The one behind it, if there can be one.
            pub fn next(self) -> Option<Self> {
                self.0.checked_add(1).map(Self)
            }
        }
    )* };
}
pub(crate) use positions;

/// Declares identifiers that are read as a number, which need not be a position yet: of what a configuration has, say.
macro_rules! identifiers {
    ($($(#[$about:meta])* $name:ident,)*) => {
        $crate::decode::positions! { $($(#[$about])* $name,)* }
        $(
            impl<S: $crate::decode::Source> $crate::decode::Decode<S> for $name
            where
                u32: $crate::decode::Decode<S>,
            {
                fn decode(source: &mut S) -> Result<Self, S::Failure> {
                    $crate::decode::Decode::decode(source).map(Self)
                }
            }
        )*
    };
}
pub(crate) use identifiers;

/// Declares identifiers of terms, which are looked up as they are read.
macro_rules! term_identifiers {
    ($($(#[$about:meta])* $name:ident: $kind:ident,)*) => {
        $crate::decode::positions! { $($(#[$about])* $name,)* }
        $(
            impl<S: $crate::decode::Source> $crate::decode::Decode<S> for $name {
                fn decode(source: &mut S) -> Result<Self, S::Failure> {
                    source.term($crate::decode::TermKind::$kind).map(|term| Self(term.number()))
                }
            }
        )*
    };
}
pub(crate) use term_identifiers;
