//! Calls: of functions that the unit defines, and of what is known without a definition (C11 6.5.2.2).

use super::{Elaborator, Outcome, Request, Source, Undefined, old_style::has_old_parameters, scope::Entity};
use crate::lower::{
    tree::{Builtin, Comparison, Expression, ExpressionKind, FunctionId, Statement, StatementKind},
    types::{CType, Parameters, Shape, in_range, promote, width},
    undefined_behavior::UndefinedBehavior,
};
use crate::source::known::is_redirection;
use goatherd_certificates::program::{FailKind, IntegerType};
use lang_c::{ast, span::Node};

/// The function of the model of errno that sets it to anything.
const SET_ERRNO: &str = "__errno_any";

/// The function that a pointer to `free` leads to.
const POINTER_TO_FREE: &str = "__pointer_to_free";

impl<'a> Elaborator<'a> {
    pub(crate) fn call(&mut self, node: &'a Node<ast::CallExpression>) -> Outcome<Expression> {
        let offset = node.span.start;
        let arguments = &node.node.arguments;
        let name = callee(&node.node.callee.node);
        let Some(name) =
            name.filter(|name| !matches!(self.scopes.find(name), Some(Entity::Variable(_) | Entity::Global(_) | Entity::Array(..))))
        else {
            return self.call_through(&node.node.callee, arguments, offset);
        };
        self.check_declared(name, offset)?;
        if let Some(value) = self.reserved(name, arguments, offset)? {
            return Ok(value);
        }
        self.check_name(name, offset)?;
        self.believe_callee(&node.node.callee, name);
        if let Some(definition) = self.definitions.get(name).copied() {
            let values: Vec<Outcome<Expression>> = arguments.iter().map(|argument| self.rvalue(argument)).collect();
            let values = values.into_iter().collect::<Outcome<Vec<_>>>()?;
            if let Some(value) = self.on_elements(name, &values, offset)? {
                return Ok(value);
            }
            if ["isascii", "toascii"].contains(&name) && (self.is_model)(definition.span.start) {
                self.check_perhaps_macro(name, &values, offset)?;
            }
            let function = self.request(Request { source: Source::Definition(definition), element: None });
            return self.defined(name, function, values, offset);
        }
        if name.ends_with("_overflow") && self.definitions.contains_key("__overflow_add_signed") {
            let values: Vec<Outcome<Expression>> = arguments.iter().map(|argument| self.rvalue(argument)).collect();
            let values = values.into_iter().collect::<Outcome<Vec<_>>>()?;
            if let Some(value) = self.checked_arithmetic(name, &values, offset)? {
                return Ok(value);
            }
        }
        if crate::models::of_elements(name).is_some() {
            let values: Vec<Outcome<Expression>> = arguments.iter().map(|argument| self.rvalue(argument)).collect();
            let values = values.into_iter().collect::<Outcome<Vec<_>>>()?;
            if let Some(value) = self.on_elements(name, &values, offset)? {
                return Ok(value);
            }
        }
        if let Some(value) = self.output(name, arguments, offset)? {
            return Ok(value);
        }
        if let Some(value) = self.input(name, arguments, offset)? {
            return Ok(value);
        }
        // `__builtin_f` is the library's, whatever the unit defines as `f`.
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if plain != name && self.definitions.contains_key(plain) {
            let message = format!("a call of '{name}' in a program that defines '{plain}' itself");
            return self.unsupported(offset, &message);
        }
        self.check_library_declaration(plain, offset)?;
        if let Some(value) = self.library(plain, arguments, offset)? {
            return Ok(value);
        }
        if self.unevaluated > 0 && self.scopes.is_seen(name) {
            return self.call_for_type(name, arguments, offset);
        }
        if self.undefined == Undefined::AnyValue {
            return self.undefined_call(name, arguments, offset);
        }
        let help = "name the file that defines it too, or take any value for what it returns (--undefined havoc)";
        self.unsupported_with_help(offset, &format!("a call of '{name}', which is not defined"), help)
    }

    /// Refuses arguments for which `isascii` and `toascii` differ from the macros that they are in `<ctype.h>`: these convert nothing to int, and of what
    /// compilers fold they are a constant, so that `(void *)(long)isascii(__builtin_abs(-200))` is a null pointer constant.
    fn check_perhaps_macro(&mut self, name: &str, arguments: &[Expression], offset: usize) -> Outcome<()> {
        for argument in arguments {
            let kind = argument.ctype.as_integer().map(promote);
            let is_alike = kind == Some(IntegerType::I32) || kind == Some(IntegerType::U32) && name == "isascii";
            if !is_alike {
                return self.unsupported(offset, &format!("an argument of '{name}' that is no int"));
            }
            if !self.is_of_object(argument) {
                let message = format!(
                    "a constant argument of '{name}', or one that compilers may fold, of which it is a constant where that is a macro"
                );
                return self.unsupported(offset, &message);
            }
        }
        Ok(())
    }

    /// A call that is not evaluated, of a function that is not defined: all that counts is its type.
    fn call_for_type(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Expression> {
        let Some(Entity::Function(ctype)) = self.scopes.find(name).cloned() else {
            return self.error(offset, &format!("'{name}' is not declared"));
        };
        let Shape::Function(signature) = &ctype.shape else { return self.error(offset, &format!("'{name}' is no function")) };
        match &signature.parameters {
            Parameters::Exact(types) if types.len() != arguments.len() => {
                return self.error(offset, &format!("'{name}' takes {} arguments, not {}", types.len(), arguments.len()));
            }
            Parameters::Exact(types) => {
                for (argument, ctype) in arguments.iter().zip(types) {
                    self.argument(argument, ctype)?;
                }
            }
            Parameters::Unknown | Parameters::Variadic(_) => {
                for argument in arguments {
                    self.rvalue(argument)?;
                }
            }
        }
        Ok(Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), signature.result.unqualified(), offset))
    }

    /// Refuses functions that the linker knows by another name. Those names of `scanf` differ in what C leaves open, or in formats that are refused.
    fn check_name(&mut self, name: &str, offset: usize) -> Outcome<()> {
        let is_other = |label: &String| !(name == "scanf" && is_redirection(name, label));
        if self.promises.get(name).is_some_and(|promises| promises.labels.iter().any(is_other)) {
            return self.unsupported(offset, &format!("'{name}', which has another name for the assembler"));
        }
        Ok(())
    }

    /// Refuses a library function whose declaration says something else than the library does.
    fn check_library_declaration(&mut self, name: &str, offset: usize) -> Outcome<()> {
        let size = CType::integer(IntegerType::U64);
        let pointer = CType::void().pointer_to();
        let (result, parameters) = match name {
            "malloc" => (pointer, vec![size]),
            "calloc" => (pointer, vec![size.clone(), size]),
            "free" => (CType::void(), vec![pointer]),
            "exit" | "_Exit" | "_exit" | "quick_exit" => (CType::void(), vec![CType::int()]),
            "abort" => (CType::void(), Vec::new()),
            _ => return Ok(()),
        };
        let Some(Entity::Function(declared)) = self.scopes.find(name) else { return Ok(()) };
        let Shape::Function(signature) = &declared.shape else { return Ok(()) };
        let is_alike = |one: &CType, two: &CType| one.shape == two.shape || one.is_pointer() && two.is_pointer();
        let fits = match &signature.parameters {
            Parameters::Unknown => true,
            Parameters::Exact(types) => {
                types.len() == parameters.len() && types.iter().zip(&parameters).all(|(one, two)| is_alike(one, two))
            }
            Parameters::Variadic(_) => false,
        };
        if fits && signature.result.shape == result.shape {
            return Ok(());
        }
        self.unsupported(offset, &format!("'{name}', which is declared with another type than the library's"))
    }

    /// A pointer to a function that the unit defines.
    pub(crate) fn function_pointer(&mut self, name: &str, offset: usize) -> Outcome<Expression> {
        self.check_name(name, offset)?;
        if is_of_harness(name) {
            // A call through it would be one of what the unit defines, and not what the name means.
            return self.unsupported(offset, &format!("a pointer to '{name}', which means something wherever it is called by name"));
        }
        let is_freeing = name == crate::models::POINTED_TO && !self.definitions.contains_key(name);
        if is_freeing {
            self.check_library_declaration(name, offset)?;
        }
        let target = if is_freeing { POINTER_TO_FREE } else { name };
        let (Some(definition), Some(Entity::Function(ctype))) =
            (self.definitions.get(target).copied(), self.scopes.find_in_file(target).cloned())
        else {
            let help = "define it in C in the same file";
            return self.unsupported_with_help(offset, &format!("a pointer to the function '{name}', which is not defined"), help);
        };
        if matches!(&ctype.shape, Shape::Function(signature) if matches!(signature.parameters, Parameters::Variadic(_))) {
            return self.unsupported(offset, "a pointer to a function with a variable number of arguments");
        }
        if has_old_parameters(&definition.node.declarator.node) {
            // With which types of functions its own goes together, the promoted parameters say (C11 6.7.6.3p15).
            return self.unsupported(offset, "a pointer to a function with parameters in the old style");
        }
        let function = self.request(Request { source: Source::Definition(definition), element: None });
        self.addressed.insert(function);
        Ok(Expression::new(ExpressionKind::Function(function), ctype.pointer_to(), offset))
    }

    /// A call through a pointer (C11 6.5.2.2).
    fn call_through(
        &mut self,
        callee: &'a Node<ast::Expression>,
        arguments: &'a [Node<ast::Expression>],
        offset: usize,
    ) -> Outcome<Expression> {
        let pointer = self.called_pointer(callee)?;
        let Some(Shape::Function(signature)) = pointer.ctype.pointee().map(|target| target.shape.clone()) else {
            return self.error(offset, "a call of something that is no function");
        };
        let values: Vec<Outcome<Expression>> = match &signature.parameters {
            Parameters::Exact(parameters) if parameters.len() != arguments.len() => {
                return self.error(offset, &format!("the function takes {} arguments, not {}", parameters.len(), arguments.len()));
            }
            Parameters::Exact(parameters) => {
                arguments.iter().zip(parameters).map(|(argument, ctype)| self.argument(argument, ctype)).collect()
            }
            Parameters::Unknown => {
                arguments.iter().map(|argument| self.rvalue(argument).and_then(|value| self.default_promoted(value))).collect()
            }
            Parameters::Variadic(_) => {
                return self.unsupported(offset, "a call through a pointer to a function with a variable number of arguments");
            }
        };
        let arguments = values.into_iter().collect::<Outcome<Vec<_>>>()?;
        let result = signature.result.unqualified();
        if arguments.iter().any(|argument| is_of_bytes(&argument.ctype)) || result.pointee().is_some_and(|target| self.is_aligned(target)) {
            self.note_hidden_view();
        }
        Ok(Expression::new(ExpressionKind::CallThrough { pointer: Box::new(pointer), arguments }, result, offset))
    }

    /// The pointer that is called: `*` makes a function of it, which becomes the pointer again (C11 6.3.2.1p4), as often as it stands there.
    fn called_pointer(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Expression> {
        let ast::Expression::UnaryOperator(operator) = &node.node else { return self.rvalue(node) };
        if operator.node.operator.node != ast::UnaryOperator::Indirection {
            return self.rvalue(node);
        }
        let pointer = self.nested(node.span.start, |elaborator| elaborator.called_pointer(&operator.node.operand))?;
        if pointer.ctype.pointee().is_some_and(|target| matches!(target.shape, Shape::Function(_))) {
            return Ok(pointer);
        }
        let place = self.dereference(pointer, node.span.start)?;
        self.read(place)
    }

    /// Names of the harness and of the compiler, which no program defines for itself. `__VERIFIER_assert` and its like are often defined
    /// in a harness; what they mean is known.
    fn reserved(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Option<Expression>> {
        let void = |builtin| Ok(Some(Expression::new(ExpressionKind::Builtin(builtin), CType::void(), offset)));
        match name {
            "__VERIFIER_assume" => self.assumption(name, arguments, offset).map(Some),
            // Its name is not a reserved one: what the unit defines it as is what it does.
            "assume_abort_if_not" if !self.definitions.contains_key(name) => self.assumption(name, arguments, offset).map(Some),
            "__VERIFIER_assert" => {
                let condition = self.harness_condition(name, arguments, offset)?;
                void(Builtin::Assert(Box::new(condition)))
            }
            // Models know it, and programs do not.
            "__goatherd_replace" if (self.is_model)(offset) => self.replacement(arguments, offset).map(Some),
            "__VERIFIER_ignore" => {
                self.no_arguments(name, arguments, offset)?;
                void(Builtin::Ignore)
            }
            "__VERIFIER_fail" | "__VERIFIER_error" | "reach_error" | "__builtin_trap" => {
                self.no_effects(name, arguments, offset)?;
                void(Builtin::Fail(FailKind::Reached))
            }
            _ if is_failed_assertion(name) => {
                self.no_effects(name, arguments, offset)?;
                void(Builtin::Fail(FailKind::Assertion))
            }
            "__builtin_unreachable" => void(Builtin::Undefined(UndefinedBehavior::Unreachable)),
            "__builtin_constant_p" => {
                let [value] = arguments else { return self.error(offset, "this takes one argument") };
                // Of what is no integer constant expression, also of a const object, an optimiser may find out the value or not.
                if self.rvalue(value)?.as_constant().is_some() && self.is_constant(value) {
                    return Ok(Some(Expression::constant(1, CType::int(), offset)));
                }
                self.approximate.insert(offset);
                let any = Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), CType::integer(IntegerType::Bool), offset);
                self.convert(any, &CType::int(), offset).map(Some)
            }
            "__builtin_expect" => {
                let [value, expected] = arguments else { return self.error(offset, "this takes two arguments") };
                let value = self.rvalue(value)?;
                // Compilers differ in whether it is evaluated: it may fail, and is not sequenced with the value.
                if self.rvalue(expected)?.as_constant().is_none() {
                    return self.unsupported(offset, "an expectation that is no constant");
                }
                self.convert(value, &CType::integer(IntegerType::I64), offset).map(Some)
            }
            "__builtin_prefetch" => {
                // What the address points to is not read; the other arguments are constants that say what for.
                let Some((address, hints)) = arguments.split_first() else { return self.error(offset, "this takes an address") };
                for hint in hints {
                    self.constant_expression(hint)?;
                }
                let address = self.argument(address, &CType { constant: true, ..CType::void() }.pointer_to())?;
                self.convert(is_used(address), &CType::void(), offset).map(Some)
            }
            "alloca" | "__builtin_alloca" if !self.definitions.contains_key(name) => {
                let [bytes] = arguments else { return self.error(offset, "this takes one argument") };
                let bytes = self.argument(bytes, &CType::integer(IntegerType::U64))?;
                self.alloca(bytes, offset).map(Some)
            }
            "__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy" => self.list_operation(name, arguments, offset).map(Some),
            // What it returns would be one value where a proof is about all, and no run were one of the program.
            _ if name.starts_with("__VERIFIER_nondet_") && self.definitions.contains_key(name) => {
                self.unsupported(offset, &format!("a call of '{name}', which is defined here and has a meaning of its own"))
            }
            _ => match name.strip_prefix("__VERIFIER_nondet_") {
                Some("ptr" | "pointer") => {
                    self.no_arguments(name, arguments, offset)?;
                    self.any_pointer(name, offset).map(Some)
                }
                Some(what) => match arbitrary(what) {
                    Some(kind) => {
                        self.no_arguments(name, arguments, offset)?;
                        let declared = self.declared_result(name, offset)?;
                        if declared.is_none() && kind != IntegerType::I32 && !(self.is_model)(offset) {
                            // Such a call gives an int (C90 3.3.2.2), whatever the name says.
                            return self.unsupported(offset, &format!("a call of '{name}', which is not declared"));
                        }
                        let kind = declared.unwrap_or(CType::integer(kind));
                        Ok(Some(Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), kind, offset)))
                    }
                    None => self.unsupported(offset, &format!("an arbitrary value of the type '{what}'")),
                },
                None => Ok(None),
            },
        }
    }

    /// What models of reallocation do with the new allocation, the old one and the number of bytes.
    fn replacement(&mut self, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Expression> {
        let [to, from, bytes] = arguments else { return self.error(offset, "this takes three arguments") };
        let pointer = CType::void().pointer_to();
        let (to, from) = (Box::new(self.argument(to, &pointer)?), Box::new(self.argument(from, &pointer)?));
        let bytes = Box::new(self.argument(bytes, &CType::integer(IntegerType::U64))?);
        Ok(Expression::new(ExpressionKind::Builtin(Builtin::Replace { to, from, bytes }), CType::void(), offset))
    }

    /// Refuses arguments of what takes none: `__VERIFIER_nondet_int(x = 5)` would have to evaluate it.
    fn no_arguments(&mut self, name: &str, arguments: &[Node<ast::Expression>], offset: usize) -> Outcome<()> {
        if arguments.is_empty() { Ok(()) } else { self.unsupported(offset, &format!("an argument of '{name}', which takes none")) }
    }

    /// Refuses arguments of what fails that would have to be evaluated first: names, constants and strings are what these tell.
    fn no_effects(&mut self, name: &str, arguments: &[Node<ast::Expression>], offset: usize) -> Outcome<()> {
        if arguments.iter().all(is_told) { Ok(()) } else { self.unsupported(offset, &format!("an argument of '{name}' that is computed")) }
    }

    fn assumption(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Expression> {
        let condition = self.harness_condition(name, arguments, offset)?;
        Ok(Expression::new(ExpressionKind::Builtin(Builtin::Assume(Box::new(condition))), CType::void(), offset))
    }

    /// Library functions that the program form knows, unless the unit defines them itself.
    fn library(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Option<Expression>> {
        let size = CType::integer(IntegerType::U64);
        let (builtin, ctype) = match (name, arguments) {
            ("assert", [condition]) => {
                let condition = self.converted_condition(name, condition, offset)?;
                (Builtin::Assert(Box::new(condition)), CType::void())
            }
            ("trap", []) => (Builtin::Fail(FailKind::Reached), CType::void()),
            // A program that gives up has not gone wrong: where it must not, it says so by an assertion.
            ("abort", []) => (Builtin::Halt(Vec::new()), CType::void()),
            ("exit" | "_Exit" | "_exit" | "quick_exit", [status]) => {
                let status = self.argument(status, &CType::int())?;
                (Builtin::Halt(vec![is_used(status)]), CType::void())
            }
            ("malloc", [bytes]) => {
                let bytes = self.argument(bytes, &size)?;
                if self.sets_errno_elsewhere() {
                    return self.call_model("__errno_malloc", vec![bytes], offset).map(Some);
                }
                (Builtin::Allocate(Box::new(bytes)), CType::void().pointer_to())
            }
            ("calloc", [count, bytes]) => {
                let count = self.argument(count, &size)?;
                let bytes = self.argument(bytes, &size)?;
                if self.sets_errno_elsewhere() {
                    return self.call_model("__errno_calloc", vec![count, bytes], offset).map(Some);
                }
                (Builtin::AllocateZero(Box::new(count), Box::new(bytes)), CType::void().pointer_to())
            }
            ("free", [pointer]) => (Builtin::Free(Box::new(self.freed(pointer)?)), CType::void()),
            _ => return Ok(None),
        };
        Ok(Some(Expression::new(ExpressionKind::Builtin(builtin), ctype, offset)))
    }

    /// The condition of an assumption or assertion, converted as a declaration of the function says.
    fn harness_condition(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Expression> {
        let [condition] = arguments else { return self.error(offset, &format!("'{name}' takes one argument")) };
        // Such a definition converts what it is called with, and no declaration need say so (C11 6.9.1p10).
        let declarator = self.definitions.get(name).map(|definition| &definition.node.declarator.node);
        let is_old = |derived: &Node<ast::DerivedDeclarator>| matches!(derived.node, ast::DerivedDeclarator::KRFunction(_));
        if declarator.is_some_and(|declarator| declarator.derived.iter().any(is_old)) {
            return self.unsupported(offset, &format!("'{name}', which is defined without a prototype"));
        }
        self.converted_condition(name, condition, offset)
    }

    /// The pointer of any number.
    fn any_pointer(&mut self, name: &str, offset: usize) -> Outcome<Expression> {
        let result = match self.scopes.find(name) {
            Some(Entity::Function(ctype)) => match &ctype.shape {
                Shape::Function(signature) => signature.result.unqualified(),
                _ => CType::void(),
            },
            _ => CType::void().pointer_to(),
        };
        if !result.is_pointer() {
            return self.unsupported(offset, &format!("'{name}' with a result that is no pointer"));
        }
        let number = Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), CType::integer(IntegerType::U64), offset);
        self.pointer_of(number, &result, offset)
    }

    /// The type that the source says a function of the harness returns.
    fn declared_result(&mut self, name: &str, offset: usize) -> Outcome<Option<CType>> {
        let Some(Entity::Function(ctype)) = self.scopes.find(name) else { return Ok(None) };
        let Shape::Function(signature) = &ctype.shape else { return Ok(None) };
        let result = signature.result.unqualified();
        if result.as_integer().is_none() {
            return self.unsupported(offset, &format!("'{name}' with a result that is no integer"));
        }
        Ok(Some(result))
    }

    /// The argument as the declaration of the function says, and a condition.
    fn converted_condition(&mut self, name: &str, condition: &'a Node<ast::Expression>, offset: usize) -> Outcome<Expression> {
        let value = self.condition(condition)?;
        let is_typed = matches!(self.scopes.find(name), Some(Entity::Function(ctype))
            if matches!(&ctype.shape, Shape::Function(signature) if signature.parameters != Parameters::Unknown));
        // Of a pointer that becomes an int half is lost, so that it may be 0. Where that is assumed of fewer, all that are not NULL are looked at.
        let is_whole = value.ctype.is_pointer() && ["__VERIFIER_assume", "assume_abort_if_not"].contains(&name);
        if value.ctype.is_pointer() && !is_typed && !is_whole {
            let help = "compare it with NULL";
            return self.unsupported_with_help(offset, &format!("a pointer as the argument of '{name}', which takes an int"), help);
        }
        let declared = match self.scopes.find(name) {
            Some(Entity::Function(ctype)) => match &ctype.shape {
                Shape::Function(signature) => match &signature.parameters {
                    Parameters::Exact(types) => types.first().cloned(),
                    // Its definition takes an int (C11 6.5.2.2p6).
                    Parameters::Unknown if value.ctype.as_integer().is_some_and(|kind| width(kind) > 32) => {
                        return self.unsupported(offset, &format!("an argument that is no int, of '{name}' without a prototype"));
                    }
                    _ => None,
                },
                _ => None,
            },
            None if value.ctype.as_integer().is_some_and(|kind| width(kind) > 32) => {
                return self.unsupported(offset, &format!("an argument that is no int, of '{name}' without a prototype"));
            }
            _ => None,
        };
        match declared {
            Some(ctype) if ctype.as_integer().is_some() && !is_whole => self.convert(value, &ctype, offset),
            _ => Ok(value),
        }
    }

    fn argument(&mut self, node: &'a Node<ast::Expression>, ctype: &CType) -> Outcome<Expression> {
        let value = self.rvalue(node)?;
        self.convert(value, &ctype.unqualified(), node.span.start)
    }

    /// What is freed. A cast takes `const` away here without harm: `free` writes nothing through it, and fails on what is declared and not allocated.
    fn freed(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Expression> {
        let pointer = self.argument(node, &CType::void().pointer_to())?;
        if matches!(node.node, ast::Expression::Cast(_)) {
            // Whatever else is converted in it begins behind the cast, and stays suspicious.
            self.suspicions.without_const.remove(&node.span.start);
        }
        Ok(pointer)
    }

    /// A call of a function of the unit.
    fn defined(&mut self, name: &str, function: FunctionId, mut arguments: Vec<Expression>, offset: usize) -> Outcome<Expression> {
        let Some(Entity::Function(ctype)) = self.scopes.find_in_file(name).cloned() else {
            return self.error(offset, &format!("'{name}' is not declared"));
        };
        if crate::models::takes_stream(name)
            && let Some(stream) = arguments.last()
        {
            self.note_stream(stream);
        }
        let Shape::Function(signature) = &ctype.shape else { return self.error(offset, &format!("'{name}' is no function")) };
        let is_old = signature.parameters == Parameters::Unknown;
        let parameters = match &signature.parameters {
            Parameters::Exact(types) => types.clone(),
            Parameters::Unknown => self.old_style_types(function)?,
            Parameters::Variadic(types) => {
                if !self.is_prototype_seen(name, offset) {
                    return self.error(offset, &format!("'{name}' is called where its '...' is not declared"));
                }
                if types.len() <= arguments.len() {
                    arguments = self.with_pack(arguments, types.len(), offset)?;
                }
                types.iter().cloned().chain([CType::void().pointer_to()]).collect()
            }
        };
        if parameters.len() != arguments.len() {
            return self.error(offset, &format!("'{name}' takes {} arguments, not {}", parameters.len(), arguments.len()));
        }
        let is_wide = |ctype: &CType| matches!(ctype.as_integer(), Some(IntegerType::I64 | IntegerType::U64));
        if !self.scopes.is_seen(name) && !is_of_model(name) && parameters.iter().any(is_wide) {
            // Its arguments would not be converted (C11 6.5.2.2p6).
            return self.error(offset, &format!("'{name}' is called before it is declared"));
        }
        if !is_of_model(name) && !self.is_prototype_seen(name, offset) {
            let is_alike =
                |(one, two): (&Expression, &CType)| promoted_shape(&one.ctype) == promoted_shape(two) || is_old && has_both_signs(one, two);
            if let Some((argument, _)) = arguments.iter().zip(&parameters).find(|(one, two)| !is_alike((*one, *two))) {
                let message = format!("an argument of another type than the parameter, where no prototype of '{name}' is seen");
                return self.error(argument.offset, &message);
            }
        }
        let arguments = self.converted(arguments, &parameters)?;
        let result = signature.result.unqualified();
        Ok(Expression::new(ExpressionKind::Call { function, arguments }, result, offset))
    }
}

impl Elaborator<'_> {
    /// Does a declaration with a prototype stand before the call, or in its block?
    fn is_prototype_seen(&self, name: &str, call: usize) -> bool {
        let is_prototype = |ctype: &CType| match &ctype.shape {
            Shape::Function(signature) => signature.parameters != Parameters::Unknown,
            _ => false,
        };
        self.prototypes.get(name).is_some_and(|first| *first < call)
            || matches!(self.scopes.find_in_block(name), Some(Entity::Function(ctype)) if is_prototype(ctype))
    }

    /// A call of a function that belongs to a model.
    pub(crate) fn call_model(&mut self, name: &str, arguments: Vec<Expression>, offset: usize) -> Outcome<Expression> {
        let Some(definition) = self.definitions.get(name).copied() else { return self.unsupported(offset, "a model that is not there") };
        let function = self.request(Request { source: Source::Definition(definition), element: None });
        self.defined(name, function, arguments, offset)
    }

    /// Is an allocation here a call of a function that sets errno as well? Its arguments are evaluated before errno is set.
    fn sets_errno_elsewhere(&self) -> bool {
        self.definitions.contains_key(SET_ERRNO) && !self.context.name.starts_with("__errno_")
    }

    /// What a function of the library begins with that may set errno to anything, in a program that looks at it.
    pub(crate) fn errno_is_set(&mut self, offset: usize) -> Outcome<Option<Statement>> {
        if !self.definitions.contains_key(SET_ERRNO) {
            return Ok(None);
        }
        let set = self.call_model(SET_ERRNO, Vec::new(), offset)?;
        Ok(Some(Statement { kind: StatementKind::Expression(set), offset }))
    }

    /// Arguments as the parameters' types say.
    pub(crate) fn converted(&mut self, arguments: Vec<Expression>, parameters: &[CType]) -> Outcome<Vec<Expression>> {
        let converted: Vec<Outcome<Expression>> = arguments
            .into_iter()
            .zip(parameters)
            .map(|(argument, ctype)| {
                let offset = argument.offset;
                self.convert(argument, &ctype.unqualified(), offset)
            })
            .collect();
        converted.into_iter().collect()
    }
}

/// Is it a pointer to `void` or to characters, which may be handed on as one to anything?
fn is_of_bytes(ctype: &CType) -> bool {
    let is_byte = |target: &CType| target.is_void() || target.as_integer().is_some_and(|kind| width(kind) == 8);
    ctype.pointee().is_some_and(is_byte)
}

/// The value is looked at: that of an object without one is none (C11 6.3.2.1p2).
fn is_used(value: Expression) -> Expression {
    let offset = value.offset;
    let zero = Expression::constant(0, value.ctype.clone(), offset);
    Expression::new(ExpressionKind::Compare(Comparison::Equal, Box::new(value), Box::new(zero)), CType::int(), offset)
}

/// What a call without a prototype makes of a value of this type (C11 6.5.2.2p6); all pointers are passed alike.
fn promoted_shape(ctype: &CType) -> Option<&Shape> {
    const INT: &Shape = &Shape::Integer(IntegerType::I32);
    match &ctype.shape {
        Shape::Pointer(_) => None,
        Shape::Integer(kind) if promote(*kind) != *kind => Some(INT),
        shape => Some(shape),
    }
}

/// Is it a constant that the type has, too, if only the sign is another (C11 6.5.2.2p6)?
fn has_both_signs(value: &Expression, ctype: &CType) -> bool {
    let (Some(one), Some(two)) = (value.ctype.as_integer().map(promote), ctype.as_integer().map(promote)) else { return false };
    width(one) == width(two) && value.as_constant().is_some_and(|value| in_range(one, value) && in_range(two, value))
}

/// Does a call of this name mean the same whatever the unit defines it as ([`Elaborator::reserved`])?
pub(crate) fn is_of_harness(name: &str) -> bool {
    let meanings = ["assume", "assert", "ignore", "fail", "error"];
    let is_meant = |what: &str| meanings.contains(&what) || what.starts_with("nondet_");
    name == "reach_error" || name.strip_prefix("__VERIFIER_").is_some_and(is_meant) || is_failed_assertion(name)
}

/// Is it a name, a constant or a string, perhaps converted?
fn is_told(argument: &Node<ast::Expression>) -> bool {
    match &argument.node {
        ast::Expression::Identifier(_) | ast::Expression::Constant(_) | ast::Expression::StringLiteral(_) => true,
        ast::Expression::Cast(cast) => is_told(&cast.node.expression),
        _ => false,
    }
}

/// What the library's `assert` calls where the condition is false, under its names on different systems.
pub(crate) fn is_failed_assertion(name: &str) -> bool {
    ["__assert_fail", "__assert_rtn", "__assert", "__assert_func", "__assert_perror_fail"].contains(&name)
}

/// Is it a function of a model, which is called without a declaration?
fn is_of_model(name: &str) -> bool {
    name.starts_with("__output_") || name.starts_with("__errno_") || crate::models::text(name).is_some()
}

/// The name that is called, also through a useless `*` or `&`.
fn callee(expression: &ast::Expression) -> Option<&str> {
    match expression {
        ast::Expression::Identifier(name) => Some(&name.node.name),
        ast::Expression::UnaryOperator(operator)
            if matches!(operator.node.operator.node, ast::UnaryOperator::Indirection | ast::UnaryOperator::Address) =>
        {
            callee(&operator.node.operand.node)
        }
        _ => None,
    }
}

/// The type that `__VERIFIER_nondet_` names.
fn arbitrary(what: &str) -> Option<IntegerType> {
    Some(match what {
        "bool" | "_Bool" => IntegerType::Bool,
        "char" | "schar" | "int8_t" => IntegerType::I8,
        "uchar" | "unsigned_char" | "u8" | "uint8_t" => IntegerType::U8,
        "short" | "int16_t" => IntegerType::I16,
        "ushort" | "unsigned_short" | "u16" | "uint16_t" => IntegerType::U16,
        "int" | "int32_t" | "wchar_t" => IntegerType::I32,
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32_t" => IntegerType::U32,
        "long" | "longlong" | "int64_t" | "ptrdiff_t" | "ssize_t" | "loff_t" | "off_t" => IntegerType::I64,
        "ulong" | "ulonglong" | "unsigned_long" | "size_t" | "u64" | "uint64_t" | "sector_t" => IntegerType::U64,
        _ => return None,
    })
}
