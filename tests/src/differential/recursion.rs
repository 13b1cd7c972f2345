//! Random functions that call themselves or each other: last, several times, in the middle of expressions and loops, with results through pointers
//! to variables of the calls that wait, with arrays and structs of their own, and with memory from the heap.

use super::generator::{Generator, Recursion, Variable};

/// What a recursive function is made of.
struct Parts {
    name: String,
    /// The types of what it is given, and of what it returns.
    kind: &'static str,
    result: &'static str,
    /// Expressions over `x`.
    values: [String; 3],
}

impl Generator {
    /// A function of an integer and a number of calls of itself that are still allowed.
    pub fn recursive_helper(&mut self) {
        let (kind, result) = (self.scalar().name(), self.scalar().name());
        let variables = std::mem::replace(&mut self.variables, vec![Variable { name: "x".to_owned() }]);
        let parts = Parts { name: self.fresh("again"), kind, result, values: [2, 1, 1].map(|depth| self.expression(depth)) };
        self.variables = variables;
        match self.random.below(11) {
            0 => self.last(&parts),
            1 => self.twice(&parts),
            2 => self.through_pointers(&parts),
            3 => self.with_array(&parts),
            4 => self.with_structs(&parts),
            5 => self.mutual(&parts),
            6 => self.in_loop(&parts),
            7 => self.in_expressions(&parts),
            8 => self.with_list(&parts),
            9 => self.escaping(&parts),
            _ => self.in_blocks(&parts),
        }
        self.recursions.push(Recursion { name: parts.name });
    }

    /// Writes `static result name(kind x, unsigned n)`.
    fn recursive(&mut self, parts: &Parts, lines: &[String]) {
        let Parts { name, kind, result, values } = parts;
        self.block(&format!("static {result} {name}({kind} x, unsigned n)\n"), |generator| {
            generator.line(format!("if (n == 0) return {};", values[1]));
            for line in lines {
                generator.line(line);
            }
        });
    }

    fn last(&mut self, parts: &Parts) {
        let Parts { name, values: [value, ..], .. } = parts;
        self.recursive(parts, &[format!("return {name}({value}, n - 1);")]);
    }

    fn twice(&mut self, parts: &Parts) {
        let Parts { name, kind, result, values: [value, _, other] } = parts;
        self.recursive(
            parts,
            &[
                format!("{result} l = {name}({value}, n - 1);"),
                format!("{kind} t = l ^ x;"),
                format!("{result} r = {name}(t, n / 2);"),
                format!("return l * 3 + r - t + x + ({other});"),
            ],
        );
    }

    /// Results are left in variables of the caller, which are in memory.
    fn through_pointers(&mut self, parts: &Parts) {
        let Parts { kind, result, values: [value, end, other], .. } = parts;
        let inner = self.fresh("into");
        let stray = i32::from(self.is_reckless());
        self.block(&format!("static void {inner}({kind} x, unsigned n, {result} *out)\n"), |generator| {
            generator.line(format!("{result} a = {other}, b = 1, *p = n & 1 ? &a : &b;"));
            generator.line(format!("if (n > 0) {{ {inner}({value}, n - 1, p); b ^= a; {inner}(x, n / 2, n & 2 ? out : &b); }}"));
            generator.line(format!("p[{stray}] += 3; *out = a + b * 5 + x;"));
        });
        self.recursive(parts, &[format!("{result} r = {end};"), format!("{inner}(x, n - 1, &r);"), "return r + x;".to_owned()]);
    }

    fn with_array(&mut self, parts: &Parts) {
        let Parts { name, kind, values: [value, _, other], .. } = parts;
        let index = if self.is_reckless() { "n + 3" } else { "n & 3" };
        self.recursive(
            parts,
            &[
                format!("{kind} v[4] = {{ {other}, 2, x }};"),
                format!("v[{index}] += {name}({value}, n - 1);"),
                format!("{kind} s = {name}(v[1], n / 3);"),
                "return v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7 + s;".to_owned(),
            ],
        );
    }

    fn with_structs(&mut self, parts: &Parts) {
        let Parts { kind, result, values: [value, _, other], .. } = parts;
        let (tag, inner) = (self.fresh("s"), self.fresh("pair"));
        self.line(format!("struct {tag} {{ {kind} x; {result} y; unsigned char z[3]; }};"));
        self.block(&format!("static struct {tag} {inner}(struct {tag} s, unsigned n)\n"), |generator| {
            generator.line(format!("{kind} x = s.x;"));
            generator.line("if (n == 0) { s.y += 1; s.z[1] = 7; return s; }");
            generator.line(format!("struct {tag} t = {inner}((struct {tag}){{ {value}, s.y, {{ n, 2, s.z[1] }} }}, n - 1);"));
            generator.line(format!("t.y ^= {inner}(s, n / 2).x;"));
            generator.line("t.x += s.x; t.z[0] ^= s.z[2]; return t;");
        });
        self.recursive(
            parts,
            &[
                format!("struct {tag} r = {inner}((struct {tag}){{ x, {other} }}, n);"),
                "return r.x + r.y * 3 + r.z[0] + r.z[1] - r.z[2];".to_owned(),
            ],
        );
    }

    fn mutual(&mut self, parts: &Parts) {
        let Parts { name, kind, result, values: [value, end, other] } = parts;
        let (partner, partner_kind) = (self.fresh("partner"), self.scalar().name());
        self.line(format!("static {partner_kind} {partner}({result} x, unsigned m);"));
        self.recursive(
            parts,
            &[format!("if (x & 1) return {partner}({value}, n - 1);"), format!("return x - {name}({partner}(x, n / 2), n - 1);")],
        );
        self.block(&format!("static {partner_kind} {partner}({result} x, unsigned m)\n"), |generator| {
            generator.line(format!("if (m == 0) return {end};"));
            generator.line(format!("{kind} t = {name}(x, m - 1);"));
            generator.line(format!("return m & 1 ? {partner}(t ^ ({other}), m / 2) : t;"));
        });
    }

    fn in_loop(&mut self, parts: &Parts) {
        let Parts { name, values: [value, ..], .. } = parts;
        self.recursive(
            parts,
            &[
                "for (int i = 0; i < 2; i++) {".to_owned(),
                "    if (i == 1 && (x & 2)) continue;".to_owned(),
                format!("    x += {name}({value}, n - 1) ^ i;"),
                "    if ((x & 7) == 5) break;".to_owned(),
                "}".to_owned(),
                "switch (n & 3) {".to_owned(),
                format!("case 0: x -= {name}(x, n / 2);"),
                "case 1: x ^= 9; break;".to_owned(),
                "default: x += n;".to_owned(),
                "}".to_owned(),
                "return x;".to_owned(),
            ],
        );
    }

    fn in_expressions(&mut self, parts: &Parts) {
        let Parts { name, values: [value, _, other], .. } = parts;
        self.recursive(
            parts,
            &[
                format!("if ({name}({value}, n - 1) > 3 && {name}(x, n / 2) || ({other}) == 2) x++;"),
                format!("return {name}(({name}({other}, n / 2)), n - 1) * 2 + (x & 1 ? {name}(x, n / 3) : x);"),
            ],
        );
    }

    /// Builds a list, changes it and takes it apart.
    fn with_list(&mut self, parts: &Parts) {
        let Parts { kind, result, values: [value, ..], .. } = parts;
        let [tag, build, total, free] = ["node", "build", "total", "drop"].map(|stem| self.fresh(stem));
        self.line(format!("struct {tag} {{ {kind} v; struct {tag} *next; }};"));
        self.block(&format!("static struct {tag} *{build}({kind} x, unsigned n)\n"), |generator| {
            generator.line("if (n == 0) return 0;");
            generator.line(format!("struct {tag} *l = malloc(sizeof *l);"));
            generator.line(format!("l->next = {build}({value}, n - 1); l->v = x; return l;"));
        });
        self.block(&format!("static {result} {total}(struct {tag} *l)\n"), |generator| {
            generator.line(format!("return l ? l->v * 3 + {total}(l->next) : 1;"));
        });
        let after = if self.is_reckless() { "free(l); r += l->v;" } else { "r += l->v; free(l);" };
        self.block(&format!("static {result} {free}(struct {tag} *l)\n"), |generator| {
            generator.line("if (!l) return 0;");
            generator.line(format!("{result} r = {free}(l->next); {after} return r;"));
        });
        self.recursive(
            parts,
            &[format!("struct {tag} *l = {build}(x, n);"), format!("{result} r = {total}(l);"), format!("return r ^ {free}(l);")],
        );
    }

    /// A pointer to a variable of a call that waits, or, seldom, of one that has returned.
    fn escaping(&mut self, parts: &Parts) {
        let Parts { kind, values: [value, ..], .. } = parts;
        let inner = self.fresh("address");
        let given = if self.is_reckless() { "&a" } else { "p" };
        self.block(&format!("static {kind} *{inner}({kind} x, unsigned n, {kind} *p)\n"), |generator| {
            generator.line(format!("{kind} a = x, b = *p;"));
            generator.line(format!("if (n > 0) {{ {kind} *q = {inner}({value}, n - 1, n & 1 ? p : &a); b ^= *q; a += *q; }}"));
            generator.line(format!("*p += a + b; return n & 1 ? {given} : p;"));
        });
        self.recursive(parts, &[format!("{kind} a = x;"), format!("return *{inner}(x, n - 1, &a) + a;")]);
    }

    /// Blocks with variables in memory, left in all ways.
    fn in_blocks(&mut self, parts: &Parts) {
        let Parts { name, kind, values: [value, _, other], .. } = parts;
        self.recursive(
            parts,
            &[
                format!("{kind} *p = &x;"),
                format!("for (unsigned i = 0; i < 3; i++) {{ {kind} y = {other}; p = &y; *p += i;"),
                format!("    if (y & 1) {{ {kind} z = {name}({value}, n - 1); p = &z; x += *p; goto out; }}"),
                "    x ^= *p; if (n & i) break; }".to_owned(),
                format!("return x + {name}(x, n / 2);"),
                "out: return x;".to_owned(),
            ],
        );
    }

    /// Calls a function that calls itself.
    pub fn call_recursive(&mut self) {
        let recursions = self.recursions.clone();
        if recursions.is_empty() {
            return self.hash();
        }
        let recursion = self.pick(&recursions);
        let (value, count) = (self.expression(2), self.random.below(5));
        self.line(format!("h = h * 53 + {}({value}, {count});", recursion.name));
    }
}
