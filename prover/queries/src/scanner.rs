//! Tokens of SMT-LIB, nested by parentheses. Nothing recurses: lists stand in one table.

use crate::Trouble;

/// Position in a table of nodes.
pub type NodeId = usize;

/// What stands at a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A symbol, without the bars of `|a b|`.
    Symbol(String),
    /// A number without sign or point.
    Numeral(String),
    /// `:name`
    Keyword(String),
    /// A string, or a number that is no integer: nothing looks at them.
    Other(String),
    /// In parentheses.
    List(Vec<NodeId>),
}

/// A token or a list.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it begins, in bytes.
    pub offset: usize,
    /// What it is.
    pub content: Content,
}

/// The nodes of a script, and which of them are its commands.
#[derive(Clone, Default, Debug)]
pub struct Nodes {
    nodes: Vec<Node>,
    /// In order.
    pub commands: Vec<NodeId>,
}

impl Nodes {
    /// The node.
    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The symbol at the node, if it is one.
    pub fn symbol(&self, id: NodeId) -> Option<&str> {
        if let Content::Symbol(name) = &self.get(id).content { Some(name) } else { None }
    }

    /// The parts of the list at the node, if it is one.
    pub fn list(&self, id: NodeId) -> Option<&[NodeId]> {
        if let Content::List(parts) = &self.get(id).content { Some(parts) } else { None }
    }

    /// Scans a script.
    pub fn new(text: &str) -> Result<Self, Trouble> {
        let mut nodes = Self::default();
        let mut open: Vec<(usize, Vec<NodeId>)> = Vec::new();
        let mut offset = 0;
        while let Some(first) = text[offset..].chars().next() {
            let start = offset;
            let content = match first {
                _ if first.is_ascii_whitespace() => {
                    offset += 1;
                    continue;
                }
                ';' => {
                    offset += length(text, offset, |character| !['\n', '\r'].contains(&character));
                    continue;
                }
                '(' => {
                    open.push((start, Vec::new()));
                    offset += 1;
                    continue;
                }
                ')' => {
                    offset += 1;
                    let Some((start, parts)) = open.pop() else {
                        return Err(Trouble::error(start, "a parenthesis is closed that was not opened"));
                    };
                    let list = nodes.push(start, Content::List(parts));
                    nodes.place(list, &mut open);
                    continue;
                }
                '|' => Content::Symbol(delimited(text, &mut offset, '|')?),
                '"' => Content::Other(delimited(text, &mut offset, '"')?),
                _ => simple(text, &mut offset)?,
            };
            let token = nodes.push(start, content);
            if open.is_empty() {
                return Err(Trouble::error(start, "a command in parentheses is expected"));
            }
            nodes.place(token, &mut open);
        }
        match open.first() {
            Some((start, _)) => Err(Trouble::error(*start, "the parenthesis is not closed")),
            None => Ok(nodes),
        }
    }

    fn push(&mut self, offset: usize, content: Content) -> NodeId {
        self.nodes.push(Node { offset, content });
        self.nodes.len() - 1
    }

    fn place(&mut self, node: NodeId, open: &mut [(usize, Vec<NodeId>)]) {
        match open.last_mut() {
            Some((_, parts)) => parts.push(node),
            None => self.commands.push(node),
        }
    }
}

/// How many bytes from the offset on are such characters.
fn length(text: &str, offset: usize, is_part: impl Fn(char) -> bool) -> usize {
    let rest = &text[offset..];
    rest.find(|character| !is_part(character)).unwrap_or(rest.len())
}

/// What stands between two delimiters. Two of them inside a string stand for one, which is of no matter here: `""` ends a string and begins another.
fn delimited(text: &str, offset: &mut usize, delimiter: char) -> Result<String, Trouble> {
    let start = *offset + 1;
    let inside = length(text, start, |character| character != delimiter);
    if start + inside == text.len() {
        return Err(Trouble::error(*offset, format!("the {delimiter} is not closed")));
    }
    *offset = start + inside + 1;
    let inside = &text[start..start + inside];
    if delimiter == '|' && inside.contains('\\') {
        return Err(Trouble::unsupported(start - 1, "a symbol with a backslash in it"));
    }
    Ok(inside.to_owned())
}

/// A token without delimiters.
fn simple(text: &str, offset: &mut usize) -> Result<Content, Trouble> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:#".contains(character);
    let start = *offset;
    let length = length(text, start, is_part);
    if length == 0 {
        return Err(Trouble::error(start, "a character that stands in no token"));
    }
    *offset += length;
    let token = text[start..*offset].to_owned();
    // Elsewhere than at its beginning these belong to no token of the language, and readers part it in different ways: `p:named`.
    if token[1..].contains([':', '#']) {
        return Err(Trouble::unsupported(start, "a token with ':' or '#' inside"));
    }
    let is_number = token.starts_with(|first: char| first.is_ascii_digit());
    Ok(match token.strip_prefix(':') {
        Some(name) => Content::Keyword(name.to_owned()),
        None if token.bytes().all(|byte| byte.is_ascii_digit()) => Content::Numeral(token),
        None if is_number || token.starts_with('#') => Content::Other(token),
        None => Content::Symbol(token),
    })
}
