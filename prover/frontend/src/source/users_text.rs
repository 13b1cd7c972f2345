//! What the user has written, before the compiler has preprocessed it.

use super::{
    File,
    directives::{self, Part},
    languages,
    macro_bodies::MacroBodies,
    parts_of_names::PartsOfNames,
    token::{Place, Token, tokens},
};

/// The text of the user's files, and of the definitions on the command line.
pub(super) struct UsersText<'files> {
    pub(super) files: &'files [File],
    pub(super) definitions: &'files [String],
    /// What macros of the system's headers stand for.
    pub(super) library: &'files MacroBodies,
    /// All tokens; those of definitions on the command line as those of directives, at the beginning of the first file.
    pub(super) tokens: Vec<Token>,
    pub(super) parts: Vec<Part>,
    /// What the user's macros stand for.
    pub(super) macros: MacroBodies,
}

impl<'files> UsersText<'files> {
    pub(super) fn of(files: &'files [File], definitions: &'files [String], library: &'files MacroBodies) -> Self {
        let defined = definitions.iter().map(|definition| tokens(directive(definition).as_bytes(), Place::default()));
        let tokens_of = |(number, file): (u32, &File)| {
            let bytes = file.bytes.as_deref().unwrap_or_default();
            tokens(bytes, Place { file: number, line: 1, column: 1 })
        };
        let texts: Vec<Vec<Token>> = defined.chain((0..).zip(files).map(tokens_of)).collect();
        let tokens = texts.concat();
        let parts: Vec<Part> = texts.into_iter().flat_map(directives::parts).collect();
        let mut macros = MacroBodies::default();
        for definition in parts.iter().filter_map(definition) {
            macros.add(definition);
        }
        UsersText { files, definitions, library, tokens, parts, macros }
    }

    /// Is it preprocessed already, so that nothing in it is a macro?
    pub(super) fn is_preprocessed(&self) -> bool {
        self.files.first().is_some_and(|file| languages::is_preprocessed(&file.name))
    }

    /// The names that may be pasted together.
    pub(super) fn parts_of_names(&self) -> PartsOfNames<'_> {
        PartsOfNames::of(&self.tokens, self.library)
    }

    /// Where a token of such a text stands first; nowhere if it is only on the command line.
    pub(super) fn place(&self, text: &str) -> Place {
        self.tokens.iter().find(|token| &*token.text == text).map_or(Place::default(), |token| token.place)
    }
}

/// What a directive defines: the name and what it stands for.
pub(super) fn definition(part: &Part) -> Option<&[Token]> {
    let Part::Directive(_, line) = part else { return None };
    let (first, definition) = line.split_first()?;
    first.is("define").then_some(definition)
}

/// The directive that defines a macro as the command line does.
fn directive(definition: &str) -> String {
    let line = if definition.contains('=') { definition.replacen('=', " ", 1) } else { format!("{definition} 1") };
    format!("#define {line}\n")
}
