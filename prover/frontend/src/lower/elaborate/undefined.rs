//! Calls of functions that nothing defines, where the user asks for that (`spec/program.md#undefined-functions`): such a function returns any
//! value, and changes what it can reach. What it can reach is refused where it would be more than integers with external linkage.

use super::{Context, Elaborator, GlobalState, Outcome, Request, Source, scope::Entity};
use crate::lower::{
    ANY_VALUE,
    tree::{Base, Builtin, Comparison, Expression, ExpressionKind, Function, GlobalId, Item, Place, Statement, StatementKind, VariableId},
    types::{CType, Parameters, Shape},
};
use lang_c::{ast, span::Node};

/// What a call of a function means that nothing defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// Nothing: it is refused.
    Refused,
    /// It returns any value, and gives any values to what it can reach.
    AnyValue,
}

/// A function that is called and not defined.
#[derive(Clone, PartialEq)]
pub(crate) struct UndefinedFunction {
    pub(super) name: String,
    result: CType,
    /// The types of the arguments.
    parameters: Vec<CType>,
    /// It is declared as one that never returns.
    no_return: bool,
    offset: usize,
}

impl<'a> Elaborator<'a> {
    /// A call of a function that is declared and not defined.
    pub(crate) fn undefined_call(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Expression> {
        let Some(Entity::Function(ctype)) = self.scopes.find(name).filter(|_| self.scopes.is_seen(name)).cloned() else {
            return self.error(offset, &format!("'{name}' is not declared"));
        };
        let Shape::Function(signature) = &ctype.shape else { return self.error(offset, &format!("'{name}' is no function")) };
        if name.starts_with("__builtin_") {
            return self.unsupported(offset, &format!("a call of '{name}', which is the compiler's"));
        }
        // What `pure` and the like promise is not relied on; this is said of `setjmp` and its like.
        if self.promises.get(name).is_some_and(|promises| promises.unchecked.iter().any(|name| name == "returns_twice")) {
            return self.unsupported(offset, &format!("a call of '{name}', which is not defined and may return twice"));
        }
        let result = signature.result.unqualified();
        if !result.is_void() && result.as_integer().is_none() {
            return self
                .unsupported(offset, &format!("a call of '{name}', which is not defined and returns something else than an integer"));
        }
        let declared: &[CType] = match &signature.parameters {
            Parameters::Exact(types) | Parameters::Variadic(types) => types,
            Parameters::Unknown => &[],
        };
        let has_count = match &signature.parameters {
            Parameters::Exact(types) => types.len() == arguments.len(),
            Parameters::Variadic(types) => types.len() <= arguments.len(),
            Parameters::Unknown => true,
        };
        if !has_count {
            return self.error(offset, &format!("'{name}' takes {} arguments, not {}", declared.len(), arguments.len()));
        }
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.rvalue(argument)?;
            self.check_hidden(name, &value)?;
            values.push(match declared.get(index) {
                Some(parameter) => self.convert(value, &parameter.unqualified(), argument.span.start)?,
                None => self.promoted_argument(value)?,
            });
        }
        let function = UndefinedFunction {
            name: name.to_owned(),
            result: result.clone(),
            parameters: values.iter().map(|value| value.ctype.clone()).collect(),
            no_return: self.promises.get(name).is_some_and(|promises| promises.no_return),
            offset,
        };
        let function = self.request(Request { source: Source::Undefined(function), element: None });
        // Bodies of such functions are made when no other function can be asked for.
        self.errno_is_set(offset)?;
        Ok(Expression::new(ExpressionKind::Call { function, arguments: values }, result, offset))
    }

    /// Refuses an argument through which the function could change, free or call something: all pointers but NULL and string literals.
    fn check_hidden(&mut self, name: &str, value: &Expression) -> Outcome<()> {
        if value.ctype.as_integer().is_some() || value.ctype.is_pointer() && (value.is_null() || self.is_literal(value)) {
            return Ok(());
        }
        let message = format!("an argument of '{name}', which is not defined and could change what that leads to");
        self.unsupported_with_help(value.offset, &message, "define the function in C")
    }

    fn is_literal(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Convert(inner) => inner.ctype.is_pointer() && self.is_literal(inner),
            ExpressionKind::AddressOf(place) => match place.base {
                Base::Global(id) => self.global_item(id).literal,
                _ => false,
            },
            _ => false,
        }
    }

    /// The bodies of such functions, when it is known which objects the program uses.
    pub(crate) fn define_undefined(&mut self) {
        let undefined = |(id, request): (usize, &Request<'a>)| match &request.source {
            Source::Undefined(function) => Some((id, function.clone())),
            _ => None,
        };
        let undefined: Vec<(usize, UndefinedFunction)> = self.requested.iter().enumerate().filter_map(undefined).collect();
        let Some((_, first)) = undefined.first() else { return };
        // What is wrong has been said.
        let Ok(reached) = self.reached_by(&first.name.clone()) else { return };
        for (id, function) in undefined {
            let Ok(set) = self.errno_is_set(function.offset) else { return };
            self.functions[id] = Some(self.undefined_function(&function, &reached, set));
        }
    }

    /// The objects of the program that a function elsewhere can change: those with external linkage that are not constant.
    fn reached_by(&mut self, name: &str) -> Outcome<Vec<GlobalId>> {
        let linked: Vec<GlobalId> = self.linked.values().copied().filter(|id| self.matters_to_others(*id)).collect();
        let mut reached = Vec::new();
        let mut outcome = Ok(());
        for id in linked {
            let global = self.global_item(id);
            let (ctype, offset, object) = (global.ctype.clone(), global.offset, global.name.clone());
            let is_stream = matches!(&*object, "stdin" | "stdout" | "stderr");
            let element = ctype.base_element();
            if is_stream || element.constant && element.as_integer().is_some() {
                continue;
            }
            if ctype.as_integer().is_some() && !ctype.volatile {
                reached.push(id);
                continue;
            }
            let message = format!("'{object}', which '{name}' could change, a function that is not defined");
            outcome = self.unsupported_with_help(offset, &message, "make it static, or define the function in C");
        }
        outcome.map(|()| reached)
    }

    /// Can another file name an object, and is it one whose change the program would see: because the program uses it, or because it may
    /// point to what the program uses, as `int *p = &hidden;` does?
    fn matters_to_others(&self, id: GlobalId) -> bool {
        let may_point = || {
            let leaves = self.records.leaves(self.global_item(id).ctype.base_element());
            leaves.map_or(true, |leaves| leaves.iter().any(|leaf| leaf.pointee.is_some()))
        };
        !self.internal.contains(&id)
            && match self.globals[id].state {
                GlobalState::Ready => true,
                GlobalState::Waiting(initializer) => initializer.is_some() && may_point(),
                GlobalState::Undefined => false,
            }
    }

    fn undefined_function(&mut self, function: &UndefinedFunction, reached: &[GlobalId], set: Option<Statement>) -> Function {
        let UndefinedFunction { name, result, parameters, no_return, offset } = function.clone();
        self.context = Context { name: name.clone(), returns: 1, ..Context::default() };
        self.open_block();
        let parameters: Vec<VariableId> = parameters.into_iter().map(|ctype| self.variable("argument".to_owned(), ctype, offset)).collect();
        let mut body: Vec<Statement> = parameters.iter().map(|parameter| self.used(*parameter, offset)).collect();
        let kind = if result.is_void() { CType::int() } else { result.clone() };
        let returned = self.variable(ANY_VALUE.to_owned(), kind.clone(), offset);
        body.push(Statement { kind: StatementKind::Initialise(returned, vec![Item::new(0, any(kind, offset))]), offset });
        body.extend(reached.iter().map(|id| self.changed(*id, offset)));
        body.extend(set);
        let end = if no_return {
            StatementKind::Expression(Expression::new(ExpressionKind::Builtin(Builtin::Halt(Vec::new())), CType::void(), offset))
        } else {
            StatementKind::Return((!result.is_void()).then(|| self.value_of(returned, offset)))
        };
        body.push(Statement { kind: end, offset });
        self.close_block();
        let context = std::mem::take(&mut self.context);
        Function {
            name,
            result,
            parameters,
            variables: context.variables,
            blocks: context.blocks,
            labels: Vec::new(),
            returns: usize::from(!no_return),
            body,
            offset,
            end: offset,
        }
    }

    /// An argument has to have a value.
    fn used(&self, parameter: VariableId, offset: usize) -> Statement {
        let value = self.value_of(parameter, offset);
        let zero = Expression::constant(0, value.ctype.clone(), offset);
        let kind = ExpressionKind::Compare(Comparison::Equal, Box::new(value), Box::new(zero));
        Statement { kind: StatementKind::Expression(Expression::new(kind, CType::int(), offset)), offset }
    }

    /// An object takes any value.
    fn changed(&self, id: GlobalId, offset: usize) -> Statement {
        let ctype = self.global_item(id).ctype.unqualified();
        let place = Place { base: Base::Global(id), displacement: 0, ctype: ctype.clone(), offset };
        let kind = ExpressionKind::Assign { place: Box::new(place), value: Box::new(any(ctype.clone(), offset)) };
        Statement { kind: StatementKind::Expression(Expression::new(kind, ctype, offset)), offset }
    }
}

fn any(ctype: CType, offset: usize) -> Expression {
    Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), ctype, offset)
}
