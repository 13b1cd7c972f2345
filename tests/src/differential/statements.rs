//! Random statements: each is one way in which real code changes state.

use super::generator::{Array, Generator, Variable, Writable};

/// Compound assignments that cannot fail when signed overflow wraps.
const COMPOUND: [&str; 6] = ["+=", "-=", "*=", "&=", "|=", "^="];

/// How deep statements nest.
const DEEPEST: usize = 4;

impl Generator {
    /// A statement.
    pub fn statement(&mut self) {
        let kinds = if self.depth < DEEPEST { 31 } else { 12 };
        match self.random.below(kinds) {
            0..=2 => self.declaration(),
            3 | 4 => self.assignment(),
            5 => self.hash(),
            6 => self.increment(),
            7 => self.chain(),
            8 => self.store(),
            9 => self.short_circuit(),
            10 => self.through_pointer(),
            11 => self.pointer_to_pointer(),
            12 | 13 => self.conditional(),
            14 => self.counted_loop(),
            15 => self.countdown(),
            16 => self.repeat(),
            17 => self.switch(),
            18 => self.walk(),
            19 => self.copy(),
            20 => self.structure(),
            21 => self.heap(),
            22 => self.string(),
            23 => self.call_with_pointer(),
            24 => self.call_recursive(),
            25 => self.static_local(),
            26 => self.struct_array(),
            27 => self.cursor(),
            28 | 29 => self.library(),
            _ => self.jumps(),
        }
    }

    fn statements(&mut self, most: u64) {
        for _ in 0..=self.random.below(most) {
            self.statement();
        }
    }

    /// Mixes a value into the result.
    pub fn hash(&mut self) {
        let value = self.expression(3);
        self.line(format!("h = h * 31 + {value};"));
    }

    fn variable(&mut self) -> Option<Variable> {
        let variables = self.variables.clone();
        if variables.is_empty() { None } else { Some(self.pick(&variables)) }
    }

    fn writable_array(&mut self) -> Option<Array> {
        let arrays: Vec<Array> = self.arrays.iter().filter(|array| array.writable == Writable::Yes).cloned().collect();
        if arrays.is_empty() { None } else { Some(self.pick(&arrays)) }
    }

    fn declaration(&mut self) {
        let kind = self.scalar().name();
        let name = self.fresh("v");
        if self.random.below(4) == 0 {
            let element = self.scalar();
            let values: Vec<String> = (0..4).map(|_| self.expression(1)).collect();
            self.line(format!("{} {name}[4] = {{ {} }};", element.name(), values.join(", ")));
            self.arrays.push(Array { name, element, length: 4, writable: Writable::Yes });
            return;
        }
        let value = self.expression(2);
        let qualifier = self.pick(&["", "", "", "register "]);
        self.line(format!("{qualifier}{kind} {name} = {value};"));
        if qualifier.is_empty() {
            self.variables.push(Variable { name });
        } else {
            // Its address must not be taken, so it is only read here.
            self.line(format!("h ^= {name};"));
        }
    }

    fn assignment(&mut self) {
        let Some(target) = self.variable() else { return self.hash() };
        let value = self.expression(3);
        match self.random.below(6) {
            0 => {
                let operator = self.pick(&["/=", "%="]);
                self.line(format!("{} {operator} (({value}) & 0x7f) | 1;", target.name));
            }
            1 => {
                let operator = self.pick(&["<<=", ">>="]);
                self.line(format!("{} {operator} ({value}) & 7;", target.name));
            }
            2 | 3 => {
                let operator = self.pick(&COMPOUND);
                self.line(format!("{} {operator} {value};", target.name));
            }
            _ => self.line(format!("{} = {value};", target.name)),
        }
    }

    fn increment(&mut self) {
        let Some(target) = self.variable() else { return self.hash() };
        let name = target.name;
        let statement = match self.random.below(4) {
            0 => format!("h += {name}++;"),
            1 => format!("h += --{name};"),
            2 => format!("h = h * 3 + ++{name};"),
            _ => format!("{name}--;"),
        };
        self.line(statement);
    }

    fn chain(&mut self) {
        let (Some(first), Some(second)) = (self.variable(), self.variable()) else { return self.hash() };
        let value = self.expression(2);
        if first.name == second.name {
            self.line(format!("h ^= ({} = {value});", first.name));
        } else {
            self.line(format!("h += {} = {} = {value};", first.name, second.name));
        }
    }

    fn store(&mut self) {
        let Some(array) = self.writable_array() else { return self.hash() };
        let (index, value) = (self.expression(2), self.expression(2));
        let operator = self.pick(&["=", "=", "+=", "^="]);
        let bound = if self.is_reckless() { array.length * 2 - 1 } else { array.length - 1 };
        self.line(format!("{}[{index} & {bound}] {operator} {value};", array.name));
    }

    fn short_circuit(&mut self) {
        let (Some(first), Some(second)) = (self.variable(), self.variable()) else { return self.hash() };
        // What is beside the increment must not read the variable.
        let (value, other) = (self.expression(1), self.literal());
        let operator = self.pick(&["&&", "||"]);
        self.line(format!("if ({}++ > {other} {operator} ({} = {value}, {} != 2)) h += 17;", first.name, second.name, second.name));
    }

    fn through_pointer(&mut self) {
        let (name, pointer, kind) = (self.fresh("t"), self.fresh("p"), self.scalar().name());
        let (value, change) = (self.expression(2), self.expression(2));
        self.block("", |generator| {
            generator.line(format!("{kind} {name} = {value};"));
            generator.line(format!("{kind} *{pointer} = &{name};"));
            generator.line(format!("*{pointer} += {change};"));
            generator.line(format!("h = h * 7 + {name} + ({pointer} == &{name}) + !{pointer};"));
        });
    }

    fn pointer_to_pointer(&mut self) {
        let Some(array) = self.writable_array() else { return self.hash() };
        let (pointer, outer) = (self.fresh("p"), self.fresh("pp"));
        let value = self.expression(2);
        self.block("", |generator| {
            let (element, name) = (array.element.name(), &array.name);
            generator.line(format!("{element} *{pointer} = {name};"));
            generator.line(format!("{element} **{outer} = &{pointer};"));
            generator.line(format!("*(*{outer})++ = {value};"));
            generator.line(format!("h = h * 5 + **{outer} + ({pointer} - {name});"));
        });
    }

    fn conditional(&mut self) {
        let condition = self.condition();
        self.block(&format!("if ({condition})"), |generator| generator.statements(2));
        if self.random.below(2) == 0 {
            self.block("else", |generator| generator.statements(2));
        }
    }

    /// A statement that leaves the loop or goes on with it, under a condition.
    fn leave(&mut self) {
        if self.random.below(3) == 0 {
            let (condition, word) = (self.condition(), self.pick(&["break", "continue"]));
            self.line(format!("if ({condition}) {word};"));
        }
    }

    fn looping(&mut self, body: impl FnOnce(&mut Self)) {
        if self.loops >= 2 {
            return self.hash();
        }
        self.loops += 1;
        body(self);
        self.loops -= 1;
    }

    fn counted_loop(&mut self) {
        self.looping(|generator| {
            let (name, bound) = (generator.fresh("i"), 1 + generator.random.below(5));
            let kind = generator.pick(&["int", "unsigned", "long", "unsigned char", "short"]);
            let head = generator.pick(&[
                format!("for ({kind} {name} = 0; {name} < {bound}; {name}++)"),
                format!("for ({kind} {name} = {bound}; {name} > 0; --{name})"),
                format!("for ({kind} {name} = 0, {name}x = {bound}; {name} < {name}x; {name}++, {name}x--)"),
            ]);
            generator.block(&head, |generator| {
                generator.line(format!("h += {name};"));
                generator.statements(3);
                generator.leave();
            });
        });
    }

    fn countdown(&mut self) {
        self.looping(|generator| {
            let (name, bound) = (generator.fresh("n"), generator.random.below(5));
            let kind = generator.pick(&["unsigned long", "unsigned", "int", "unsigned char"]);
            generator.line(format!("{kind} {name} = {bound};"));
            generator.block(&format!("while ({name}-- != 0)"), |generator| {
                generator.statements(3);
                generator.leave();
            });
            generator.line(format!("h = h * 3 + {name};"));
        });
    }

    fn repeat(&mut self) {
        self.looping(|generator| {
            let (name, bound) = (generator.fresh("k"), 1 + generator.random.below(4));
            generator.line(format!("int {name} = 0;"));
            generator.block("do", |generator| {
                generator.statements(2);
                generator.leave();
            });
            let last = generator.lines.pop().unwrap_or_default();
            generator.lines.push(format!("{last} while (++{name} < {bound});"));
        });
    }

    fn switch(&mut self) {
        let value = self.expression(2);
        let mask = self.pick(&["3", "7"]);
        self.block(&format!("switch ({value} & {mask})"), |generator| {
            for label in ["case 0:", "case 1: case 2:", "case 5:", "default:", "case 6:"] {
                generator.line(label);
                if generator.random.below(4) != 0 {
                    generator.hash();
                    generator.assignment();
                }
                if generator.random.below(3) != 0 {
                    generator.line("break;");
                }
            }
            generator.line(";");
        });
    }

    fn walk(&mut self) {
        let arrays = self.arrays.clone();
        if arrays.is_empty() || self.random.below(4) == 0 {
            return self.walk_input();
        }
        let array = self.pick(&arrays);
        let (p, e) = (self.fresh("p"), self.fresh("e"));
        let form = self.random.below(6);
        let extra = u64::from(self.is_reckless());
        self.block("", |generator| {
            let (element, name, length) = (array.element.name(), &array.name, array.length + extra);
            generator.line(format!("const {element} *{p} = {name}, *{e} = {name} + {length};"));
            let walk = match form {
                0 => format!("while ({p} != {e}) h = h * 31 + *{p}++;"),
                1 => format!("for (; {p} < {e}; {p}++) h = h * 33 + {p}[0];"),
                2 => format!("while ({e} > {p}) {{ --{e}; h = h * 35 + *{e}; }}"),
                3 => format!("for (; {p} < {e}; {p} += 2) h = h * 37 + *{p} + {p}[1];"),
                4 => format!("while ({p} < {e} && *{p}) {p}++; h = h * 39 + ({p} - {name}) + ({e} - {p});"),
                _ => format!("do h += *{p}; while (++{p} <= {e} - 1);"),
            };
            generator.line(walk);
        });
    }

    /// Walks the input whose length varies.
    fn walk_input(&mut self) {
        let i = self.fresh("i");
        let bound = if self.is_reckless() { "<=" } else { "<" };
        let walk = self.pick(&[
            format!("for (unsigned long {i} = 0; {i} {bound} a2.n_X; {i}++) h = h * 43 + a2.X[{i}];"),
            format!("for (unsigned long {i} = a2.n_X; {i}-- > 0;) h = h * 45 + a2.X[{i}];"),
            format!("for (unsigned long {i} = 0; {i} {bound} a2.n_X; {i}++) a2.X[{i}] += h;"),
            format!("for (unsigned long {i} = 1; {i} < a2.n_X; {i}++) if (a2.X[{i} - 1] > a2.X[{i}]) h += {i};"),
        ]);
        self.line(walk);
    }

    fn copy(&mut self) {
        let arrays = self.arrays.clone();
        let Some(to) = self.writable_array() else { return self.hash() };
        let from = self.pick(&arrays);
        if from.name == to.name {
            return self.hash();
        }
        let (p, q, n) = (self.fresh("p"), self.fresh("q"), self.fresh("n"));
        let count = from.length.min(to.length);
        self.block("", |generator| {
            generator.line(format!("{} *{p} = {};", to.element.name(), to.name));
            generator.line(format!("const {} *{q} = {};", from.element.name(), from.name));
            generator.line(format!("unsigned long {n} = {count};"));
            let copying = generator.pick(&[
                format!("while ({n}--) *{p}++ = *{q}++;"),
                format!("while ({n} && (*{p}++ = *{q}++)) {n}--;"),
                format!("for (; {n}; {n}--) *{p}++ ^= {q}[{n} - 1];"),
            ]);
            generator.line(copying);
            generator.line(format!("h += {n};"));
        });
    }

    fn structure(&mut self) {
        let (tag, value, pointer) = (self.fresh("s"), self.fresh("v"), self.fresh("p"));
        let kinds = [self.scalar().name(), self.scalar().name(), self.scalar().name()];
        let values = [self.expression(1), self.expression(1), self.expression(2)];
        self.block("", |generator| {
            generator.line(format!("struct {tag} {{ {} a; {} b; struct {{ {} c; }} d; }};", kinds[0], kinds[1], kinds[2]));
            generator.line(format!("struct {tag} {value} = {{ {}, {}, {{ 3 }} }};", values[0], values[1]));
            generator.line(format!("struct {tag} *{pointer} = &{value};"));
            generator.line(format!("{pointer}->d.c += {};", values[2]));
            generator.line(format!("{value}.a ^= {pointer}->b;"));
            if generator.random.below(2) == 0 {
                generator.line(format!("struct {tag} {value}x = *{pointer}; {value}x.b++; h += {value}x.a + {value}x.b;"));
            }
            generator.line(format!("h = h * 41 + {value}.a + {pointer}->b * 3 + (*{pointer}).d.c;"));
            generator.line(format!("h += sizeof(struct {tag});"));
        });
    }

    fn heap(&mut self) {
        let (name, index, element) = (self.fresh("m"), self.fresh("i"), self.scalar());
        let (value, count) = (self.expression(2), 1u64 << self.random.below(4));
        let fault = if self.is_reckless() { self.random.below(5) } else { 9 };
        let zeroed = self.random.below(3) == 0;
        self.block("", |generator| {
            let kind = element.name();
            let request = if zeroed { format!("calloc({count}, sizeof({kind}))") } else { format!("malloc({count} * sizeof *{name})") };
            generator.line(format!("{kind} *{name} = {request};"));
            generator.line(format!("if (!{name}) return;"));
            if !zeroed {
                generator.line(format!("for (int {index} = 0; {index} < {count}; {index}++) {name}[{index}] = {value} + {index};"));
            }
            generator.arrays.push(Array { name: name.clone(), element, length: count, writable: Writable::Yes });
            generator.statements(2);
            match fault {
                0 => generator.line(format!("h += {name}[{count}];")),
                1 => generator.line(format!("free({name} + 1);")),
                2 => generator.line(format!("free({name}); h += {name}[0];")),
                3 => generator.line(format!("free({name});")),
                4 => generator.line(format!("{name} = 0; h += *{name};")),
                _ => {}
            }
            generator.line(format!("free({name});"));
        });
    }

    fn string(&mut self) {
        let (p, buffer) = (self.fresh("p"), self.fresh("b"));
        let text = self.pick(&["", "a", "goat", "herd\\n", "\\377\\200"]);
        self.block("", |generator| {
            generator.line(format!("const char *{p} = \"{text}\";"));
            generator.line(format!("while (*{p}) h = h * 31 + *{p}++;"));
            generator.line(format!("char {buffer}[8] = \"{text}\";"));
            generator.line(format!("h += {buffer}[0] + {buffer}[7] + sizeof {buffer} + sizeof \"{text}\";"));
        });
    }

    fn jumps(&mut self) {
        let (count, again, done) = (self.fresh("g"), self.fresh("again"), self.fresh("done"));
        let condition = self.condition();
        self.line(format!("int {count} = 0;"));
        self.line(format!("{again}:"));
        self.hash();
        self.assignment();
        self.line(format!("if ({condition}) goto {done};"));
        self.line(format!("if (++{count} < 4) goto {again};"));
        self.line(format!("{done}:"));
        self.line(format!("h += {count};"));
    }
}
