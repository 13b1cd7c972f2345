//! Random statements about structs, pointers to them, calls with pointers and library functions.

use super::generator::{Generator, PointerFunction, Variable};

impl Generator {
    /// A global variable.
    pub fn global(&mut self) {
        let (name, kind, value) = (self.fresh("g"), self.scalar().name(), self.literal());
        self.line(format!("static {kind} {name} = {value};"));
        self.variables.push(Variable { name });
    }

    /// A function that works on an array through a pointer.
    pub fn pointer_helper(&mut self) {
        let (name, element, count) = (self.fresh("walk"), self.scalar(), self.pick(&["int", "unsigned long", "unsigned char"]));
        let kind = element.name();
        let result = self.pick(&["long", "int", "unsigned char", "unsigned long"]);
        self.block(&format!("static {result} {name}({kind} *p, {count} n)\n"), |generator| {
            let variables = std::mem::take(&mut generator.variables);
            generator.variables.push(Variable { name: "n".to_owned() });
            let value = generator.expression(1);
            let body = generator.pick(&[
                format!("{kind} *e = p + n; while (p < e) *p++ += {value}; return p[-1];"),
                format!("{kind} r = 0; while (n-- > 0) r += *p++; return r;"),
                format!("for (; n > 1; n--, p++) if (p[0] > p[1]) {{ {kind} t = p[0]; p[0] = p[1]; p[1] = t; }} return *p;"),
                format!("{kind} *s = p; while (n && *p != ({kind})({value})) p++, n--; return p - s;"),
            ]);
            generator.line(body);
            generator.variables = variables;
        });
        self.pointer_functions.push(PointerFunction { name, element });
    }

    /// Calls such a function.
    pub fn call_with_pointer(&mut self) {
        let functions = self.pointer_functions.clone();
        if functions.is_empty() {
            return self.hash();
        }
        let function = self.pick(&functions);
        let name = self.fresh("v");
        let values: Vec<String> = (0..4).map(|_| self.expression(1)).collect();
        let count = if self.is_reckless() { 6 } else { 1 + self.random.below(4) };
        self.block("", |generator| {
            generator.line(format!("{} {name}[4] = {{ {} }};", function.element.name(), values.join(", ")));
            generator.line(format!("h = h * 47 + {}({name}, {count});", function.name));
            generator.line(format!("h += {name}[0] ^ {name}[1] * 3;"));
        });
    }

    /// A static local variable.
    pub fn static_local(&mut self) {
        let (name, kind, value) = (self.fresh("c"), self.scalar().name(), self.literal());
        self.line(format!("static {kind} {name} = {value};"));
        self.line(format!("h += {name}++;"));
        self.variables.push(Variable { name });
    }

    /// An array of structs, walked by a pointer.
    pub fn struct_array(&mut self) {
        let (tag, value, pointer) = (self.fresh("s"), self.fresh("v"), self.fresh("p"));
        let kinds = [self.scalar().name(), self.scalar().name()];
        let (first, second, index) = (self.expression(1), self.expression(2), self.expression(1));
        self.block("", |generator| {
            generator.line(format!(
                "struct {tag} {{ {} a; {} b; }} {value}[4] = {{ {{ 1, {first} }}, {{ 2 }}, {{ 3, 4 }} }}, *{pointer};",
                kinds[0], kinds[1]
            ));
            generator.line(format!("for ({pointer} = {value}; {pointer} != {value} + 4; ++{pointer}) {pointer}->a += {pointer}->b;"));
            generator.line(format!("{value}[{index} & 3].b = {second};"));
            generator.line(format!("h = h * 59 + {value}[1].a + {pointer}[-1].b + ({pointer} - {value});"));
            generator.line(format!("{value}[0] = {value}[{index} & 3]; h ^= {value}->b;"));
        });
    }

    /// A struct with a pointer, as a cursor.
    pub fn cursor(&mut self) {
        let (tag, value, buffer) = (self.fresh("s"), self.fresh("v"), self.fresh("b"));
        let kind = self.scalar().name();
        let written = self.expression(2);
        self.block("", |generator| {
            generator.line(format!("{kind} {buffer}[4] = {{ 1, 2, 3, 4 }};"));
            generator.line(format!("struct {tag} {{ {kind} *at; int left; }} {value} = {{ {buffer}, 4 }}, *{value}p = &{value};"));
            generator.line(format!("while ({value}p->left-- > 1) *{value}p->at++ += {written};"));
            generator.line(format!("h = h * 61 + *{value}.at + ({value}.at - {buffer}) + {value}.left + {buffer}[1];"));
        });
    }

    /// Functions of the C library on strings.
    pub fn library(&mut self) {
        let buffer = self.fresh("b");
        let (first, second) = (self.pick(&["", "a", "goat", "goats", "\\377x"]), self.pick(&["", "b", "goat", "g\\200"]));
        let byte = self.expression(1);
        let use_of = self.pick(&[
            format!("h = h * 67 + strlen({buffer}) + strlen({buffer} + 1);"),
            format!("memcpy({buffer}, {buffer} + 4, 3); h += {buffer}[1];"),
            format!("memset({buffer} + 2, {byte}, 3); h += {buffer}[3];"),
            format!("h += strcmp({buffer}, \"{second}\") < 0; h += strcmp(\"{second}\", {buffer}) == 0;"),
            format!("h += memcmp({buffer}, \"{second}\", sizeof \"{second}\") > 0;"),
            format!("char *{buffer}p = strchr({buffer}, 'a'); h += {buffer}p ? {buffer}p - {buffer} : 99;"),
            format!("strcpy({buffer} + 3, \"{second}\"); h += {buffer}[3] + {buffer}[4];"),
            format!("memmove({buffer} + 1, {buffer}, 5); h += {buffer}[1] + {buffer}[5];"),
        ]);
        self.block("", |generator| {
            generator.line(format!("char {buffer}[12] = \"{first}\";"));
            generator.line(use_of);
        });
    }
}
