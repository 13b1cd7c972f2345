//! Random integer expressions without side effects.

use super::generator::{Generator, Scalar};

/// Binary operators that cannot fail when signed overflow wraps.
const TOTAL: [&str; 6] = ["+", "-", "*", "&", "|", "^"];

/// Comparisons.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Generator {
    /// An integer expression over what is in scope, at most so deep.
    pub fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let inner = depth - 1;
        match self.random.below(18) {
            0..=4 => {
                let operator = self.pick(&TOTAL);
                let (left, right) = (self.expression(inner), self.expression(inner));
                format!("({left} {operator} {right})")
            }
            5 | 6 => {
                let operator = self.pick(&COMPARISONS);
                let (left, right) = (self.expression(inner), self.expression(inner));
                format!("({left} {operator} {right})")
            }
            7 => {
                let operator = self.pick(&["&&", "||"]);
                let (left, right) = (self.expression(inner), self.expression(inner));
                format!("({left} {operator} {right})")
            }
            8 => {
                let operator = self.pick(&["-", "~", "!", "+"]);
                // A space keeps `-` and a negative literal apart.
                format!("({operator} {})", self.expression(inner))
            }
            9 | 10 => {
                let kind = self.scalar();
                format!("(({}){})", kind.name(), self.expression(inner))
            }
            11 => {
                let (condition, yes, no) = (self.expression(inner), self.expression(inner), self.expression(inner));
                format!("({condition} ? {yes} : {no})")
            }
            12 => self.division(inner),
            13 => self.shift(inner),
            14 => self.element(inner),
            15 => self.call(inner),
            16 => {
                let name = self.scalar().name();
                self.pick(&[format!("sizeof({name})"), format!("(int)sizeof({name})")])
            }
            _ => self.leaf(),
        }
    }

    /// A condition that often mentions variables.
    pub fn condition(&mut self) -> String {
        let operator = self.pick(&COMPARISONS);
        let (left, right) = (self.expression(2), self.expression(1));
        format!("{left} {operator} {right}")
    }

    fn leaf(&mut self) -> String {
        let count = self.variables.len();
        if count > 0 && self.random.below(3) != 0 {
            let variables = self.variables.clone();
            return self.pick(&variables).name;
        }
        self.literal()
    }

    /// An integer constant of some form and type.
    pub fn literal(&mut self) -> String {
        match self.random.below(12) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 => self.pick(&["'a'", "'\\0'", "'\\377'", "'Z'", "'\\n'", "'\\x41'"]).to_owned(),
            3 => {
                self.pick(&["0xffffffff", "0x80000000", "2147483647", "4294967296", "0x7fffffffffffffff", "0xffffffffffffffff"]).to_owned()
            }
            4 => self.pick(&["255u", "1u", "65536L", "3UL", "077", "1LL", "128ull", "2147483648u"]).to_owned(),
            5 => self.pick(&["(-1)", "(-128)", "(-32768)", "(-2147483647 - 1)", "(-9223372036854775807L - 1)"]).to_owned(),
            6 => self.constant(),
            _ => self.random.below(100).to_string(),
        }
    }

    fn division(&mut self, inner: u32) -> String {
        let operator = self.pick(&["/", "%"]);
        let left = self.expression(inner);
        let right = self.expression(inner);
        if self.is_reckless() {
            return format!("({left} {operator} {right})");
        }
        // Neither 0 nor -1.
        format!("({left} {operator} (({right} & 0xff) | 1))")
    }

    fn shift(&mut self, inner: u32) -> String {
        let operator = self.pick(&["<<", ">>"]);
        // Not a negative constant: such shifts are folded, as compilers do without being pedantic.
        let variables = self.variables.clone();
        let left = self.expression(inner);
        let left = if variables.is_empty() { format!("({left} & 0xff)") } else { format!("({} ^ {left})", self.pick(&variables).name) };
        let right = self.expression(inner);
        if self.is_reckless() {
            return format!("({left} {operator} {right})");
        }
        format!("({left} {operator} ({right} & 31))")
    }

    fn element(&mut self, inner: u32) -> String {
        let arrays = self.arrays.clone();
        if arrays.is_empty() {
            return self.leaf();
        }
        let array = self.pick(&arrays);
        let index = self.expression(inner);
        if self.is_reckless() {
            return format!("{}[{index} & {}]", array.name, array.length * 2 - 1);
        }
        let index = format!("{index} & {}", array.length - 1);
        match self.random.below(4) {
            0 => format!("(*({} + ({index})))", array.name),
            1 => format!("({index})[{}]", array.name),
            _ => format!("{}[{index}]", array.name),
        }
    }

    fn call(&mut self, inner: u32) -> String {
        let functions = self.functions.clone();
        if functions.is_empty() {
            return self.leaf();
        }
        let function = self.pick(&functions);
        let arguments: Vec<String> = (0..function.parameters).map(|_| self.expression(inner)).collect();
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// One of the kinds of integers.
    pub fn scalar(&mut self) -> Scalar {
        self.pick(&Scalar::ALL)
    }
}
