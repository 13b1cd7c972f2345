//! How the types of this crate are declared, and that each is read part by part, in the order of its declaration (`spec/format.md#encoding`).
//!
//! What numbers, strings and lists look like is not said here: whoever reads a certificate implements [`Source`], and [`Decode`] for these.

/// Where values are read from.
pub trait Source: Sized {
    /// Why a value cannot be read.
    type Failure;

    /// Reads the number of a variant, from 0, and then what the list says at this position; fails where the list has none.
    fn variant<T>(&mut self, variants: &[Read<Self, T>]) -> Result<T, Self::Failure>;
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

/// Declares dense identifiers, each a position in the table that lists the things of one kind, read as a number.
macro_rules! identifiers {
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
        }

        impl<S: $crate::decode::Source> $crate::decode::Decode<S> for $name
        where
            u32: $crate::decode::Decode<S>,
        {
            fn decode(source: &mut S) -> Result<Self, S::Failure> {
                $crate::decode::Decode::decode(source).map(Self)
            }
        }
    )* };
}
pub(crate) use identifiers;
