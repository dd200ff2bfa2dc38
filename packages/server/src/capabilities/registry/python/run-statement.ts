// Statements of modules, classes and functions. A branch that may or may not run is read too: a later branch
// then keeps what an earlier one has set, so `try: from .a import X` is not undone by `except ImportError: X = None`.
import { bind } from "./evaluate-comprehension.ts";
import { listOf, mergeInto } from "./evaluate-expression.ts";
import { runImport } from "./imports.ts";
import type { Interpreter, Signal } from "./interpreter.ts";
import { binary, itemsOf } from "./operators.ts";
import { childrenOf, type SyntaxNode, splitAtCommas } from "./syntax.ts";
import {
  type ClassValue,
  type FunctionValue,
  isKind,
  isPlain,
  isUnread,
  type Scope,
  truthOf,
  type Value,
} from "./value.ts";

type Runner = (run: Interpreter, node: SyntaxNode, scope: Scope) => Signal | null;

const runners: Readonly<Record<string, Runner>> = {
  ImportStatement: (run, node, scope) => runImport(run, node, scope),
  AssignStatement: runAssign,
  UpdateStatement: runUpdate,
  ExpressionStatement: (run, node, scope) => {
    run.evaluate(node.firstChild ?? undefined, scope);
    return null;
  },
  StatementGroup: (run, node, scope) => run.runBody(childrenOf(node), scope),
  FunctionDefinition: (run, node, scope) => define(run, node, scope, []),
  ClassDefinition: (run, node, scope) => define(run, node, scope, []),
  DecoratedStatement: runDecorated,
  IfStatement: runIf,
  TryStatement: runTry,
  ForStatement: runFor,
  WhileStatement: runWhile,
  WithStatement: runWith,
  ReturnStatement: runReturn,
  DeleteStatement: runDelete,
  ScopeStatement: (_, node, scope) => {
    const names = childrenOf(node)
      .slice(1)
      .map((child) => textOf(child, scope));
    scope.globals = new Set([...(scope.globals ?? []), ...names]);
    return null;
  },
  BreakStatement: () => ({ kind: "break" }),
  ContinueStatement: () => ({ kind: "continue" }),
  RaiseStatement: () => ({ kind: "raise" }),
};

export function runStatement(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  return runners[node.name]?.(run, node, scope) ?? null;
}

const textOf = (node: SyntaxNode, { module }: Scope) => module.source.slice(node.from, node.to);

function runAssign(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const groups: SyntaxNode[][] = [[]];
  for (const child of childrenOf(node)) {
    if (child.name === "AssignOp") groups.push([]);
    else if (child.name !== "TypeDef") groups.at(-1)?.push(child);
  }
  const right = splitAtCommas(groups.pop() ?? []);
  if (groups.length === 0) return null;
  const [only] = right;
  const isOne = right.length === 1 && only?.length === 1;
  const value = isOne ? run.evaluate(only[0], scope) : listOf(run, right, scope);
  for (const targets of groups)
    bind(
      run,
      targets.filter(({ name }) => name !== "," && name !== "*"),
      value,
      scope,
    );
  return null;
}

export function assignTo(run: Interpreter, target: SyntaxNode, value: Value, scope: Scope): void {
  if (target.name === "VariableName") setName(textOf(target, scope), value, scope);
  else if (target.name === "MemberExpression") assignMember(run, target, value, scope);
  else if (/^(?:Tuple|Array|Parenthesized)Expression$/.test(target.name)) {
    const inner = childrenOf(target).filter(({ name }) => !"()[],*".includes(name));
    bind(run, inner, value, scope);
  }
}

function assignMember(run: Interpreter, target: SyntaxNode, value: Value, scope: Scope): void {
  const [object, mark, key] = childrenOf(target);
  const of = run.evaluate(object, scope);
  if (mark?.name === "." && key !== undefined) {
    if (isKind(of, "instance") || isKind(of, "class")) of.members.set(textOf(key, scope), value);
    // A subclass changes the schema that its base declares.
    else if (isKind(of, "call")) of.named.set(textOf(key, scope), value);
    return;
  }
  const at = run.evaluate(key, scope);
  if (isKind(of, "dict")) {
    if (isPlain(at)) of.entries.set(at, value);
    else of.open ??= at;
  } else if (isKind(of, "list") && typeof at === "number" && at < of.items.length && at >= 0) of.items[at] = value;
}

function setName(name: string, value: Value, scope: Scope): void {
  if (scope.globals?.has(name)) {
    scope.module.names.set(name, value);
    return;
  }
  const known = scope.names.get(name);
  const isEmpty = known === undefined || isUnread(known) || truthOf(known) === false;
  if (scope.kept.has(name) && !isEmpty) return;
  scope.names.set(name, value);
}

function runUpdate(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const [target, operator, right] = childrenOf(node);
  if (target === undefined || operator === undefined) return null;
  const before = run.evaluate(target, scope);
  const value = run.evaluate(right, scope);
  const word = textOf(operator, scope).slice(0, -1);
  if (isKind(before, "dict")) mergeInto(run, before, value);
  else if (isKind(before, "list") && word === "+") {
    const { items, open } = itemsOf(value);
    run.spend(items.length);
    before.items.push(...items);
    before.open ??= open;
  } else
    run.assign(
      target,
      binary(run, word, before, value) ?? run.unknown("an operation", { module: scope.module, node }),
      scope,
    );
  return null;
}

function runDecorated(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const children = childrenOf(node);
  return define(run, children.at(-1) ?? node, scope, children.slice(0, -1));
}

function define(run: Interpreter, node: SyntaxNode, scope: Scope, decorators: readonly SyntaxNode[]): null {
  const named = childrenOf(node).find(({ name }) => name === "VariableName");
  if (named === undefined) return null;
  const name = textOf(named, scope);
  if (node.name === "ClassDefinition") {
    const made = readClass(run, node, name, scope);
    setName(name, decorated(run, made, decorators, scope), scope);
    return null;
  }
  const marks = decorators.map((each) => textOf(each, scope).replace(/^@\s*/, "").split(/[.(]/).at(-1)?.trim() ?? "");
  const made: FunctionValue = { kind: "function", name, node, scope, marks, bound: undefined };
  // A method's decorators change how it runs, not which classes there are.
  setName(name, scope.kind === "class" ? made : decorated(run, made, decorators, scope), scope);
  return null;
}

function readClass(run: Interpreter, node: SyntaxNode, name: string, scope: Scope): ClassValue {
  const children = childrenOf(node);
  const bases = children.find((child) => child.name === "ArgList");
  const members = new Map<string, Value>();
  const made: ClassValue = {
    kind: "class",
    name,
    file: scope.module.file,
    line: scope.module.lineOf(node.from),
    bases:
      bases === undefined
        ? []
        : listOf(
            run,
            splitAtCommas(childrenOf(bases).slice(1, -1)).filter((part) => part.length === 1),
            scope,
          ).items,
    members,
  };
  const inner: Scope = {
    module: scope.module,
    names: members,
    parent: scope,
    kind: "class",
    kept: new Set(),
    maybeReturned: [],
  };
  const body = children.find((child) => child.name === "Body");
  run.runBody(body === undefined ? [] : childrenOf(body), inner);
  return made;
}

// A decorator of the pack may register what it gets, or make a class of a function. Whatever else it does, it nearly always gives
// back what it got.
function decorated(
  run: Interpreter,
  made: ClassValue | FunctionValue,
  decorators: readonly SyntaxNode[],
  scope: Scope,
): Value {
  let given: ClassValue | FunctionValue = made;
  for (const node of decorators.toReversed()) {
    const [, ...rest] = childrenOf(node);
    let callee: Value | null = null;
    const position = { module: scope.module, node };
    for (const part of rest) {
      if (part.name === "ArgList") callee = run.call(callee, run.readArguments(part, scope), position);
      else if (part.name !== ".")
        callee = callee === null ? run.evaluate(part, scope) : run.attribute(callee, textOf(part, scope), position);
    }
    if (!isKind(callee, "function")) continue;
    const back = run.call(callee, { args: [given], named: new Map(), open: null }, position);
    if (isKind(given, "function") && isKind(back, "class")) given = back;
  }
  return given;
}

// Runs alternatives, of which only one runs in the application.
function runBranches(run: Interpreter, bodies: readonly SyntaxNode[], scope: Scope): Signal | null {
  const before = new Map(scope.names);
  const keptBefore = scope.kept;
  const signals = bodies.map((body) => {
    const signal = run.runBody(childrenOf(body), scope);
    const changed = [...scope.names].filter(([name, value]) => before.get(name) !== value).map(([name]) => name);
    scope.kept = new Set([...keptBefore, ...changed]);
    if (signal?.kind === "return") scope.maybeReturned.push(signal.value);
    return signal;
  });
  scope.kept = keptBefore;
  const isCertain = bodies.length > 1 && signals.every((signal) => signal?.kind === "return");
  return isCertain ? (signals[0] ?? null) : null;
}

function runIf(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const children = childrenOf(node);
  const open: SyntaxNode[] = [];
  for (const [at, { name }] of children.entries()) {
    if (name !== "if" && name !== "elif" && name !== "else") continue;
    const body = children.slice(at).find((child) => child.name === "Body");
    if (body === undefined) continue;
    const truth = name === "else" ? true : truthOf(run.evaluate(children[at + 1], scope));
    if (truth === false) continue;
    if (truth === true && open.length === 0) return run.runBody(childrenOf(body), scope);
    open.push(body);
    if (truth === true) break;
  }
  return runBranches(run, open, scope);
}

function runTry(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const children = childrenOf(node);
  const bodyAfter = (word: string) =>
    children.flatMap(({ name }, at) => {
      const body = name === word ? children.slice(at).find((child) => child.name === "Body") : undefined;
      return body === undefined ? [] : [body];
    });
  const [first, ...orElse] = [...bodyAfter("try"), ...bodyAfter("else")];
  const before = new Map(scope.names);
  const signal = first === undefined ? null : run.runBody(childrenOf(first), scope);
  const keptBefore = scope.kept;
  const changed = [...scope.names].filter(([name, value]) => before.get(name) !== value).map(([name]) => name);
  scope.kept = new Set([...keptBefore, ...changed]);
  for (const body of bodyAfter("except")) run.runBody(childrenOf(body), scope);
  scope.kept = keptBefore;
  for (const body of [...orElse, ...bodyAfter("finally")]) {
    const later = run.runBody(childrenOf(body), scope);
    if (later?.kind === "return") return later;
  }
  return signal?.kind === "raise" ? null : signal;
}

const turnsMax = 10_000;

function runFor(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const children = childrenOf(node).filter(({ name }) => name !== "async");
  const [at, end] = [
    children.findIndex(({ name }) => name === "in"),
    children.findIndex(({ name }) => name === "Body"),
  ];
  const targets = children.slice(1, at).filter(({ name }) => name !== ",");
  const body = children[end];
  if (at < 0 || body === undefined) return null;
  const over = splitAtCommas(children.slice(at + 1, end));
  const value = over.length === 1 ? run.evaluate(over[0]?.[0], scope) : listOf(run, over, scope);
  const { items, open } = itemsOf(value);
  const statements = childrenOf(body);
  for (const item of items.slice(0, turnsMax)) {
    bind(run, targets, item, scope);
    const signal = run.runBody(statements, scope);
    if (signal?.kind === "break") break;
    if (signal?.kind === "return") return signal;
  }
  // Once more with what is not known, so that what the loop fills is known to be open.
  if (open !== null) {
    bind(run, targets, open, scope);
    runBranches(run, [body], scope);
  }
  return null;
}

function runWhile(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const [, test, body] = childrenOf(node);
  if (body === undefined) return null;
  for (let turn = 0; turn < turnsMax; turn++) {
    const truth = truthOf(run.evaluate(test, scope));
    if (truth === false) return null;
    if (truth === undefined) return runBranches(run, [body], scope);
    const signal = run.runBody(childrenOf(body), scope);
    if (signal?.kind === "break") return null;
    if (signal?.kind === "return") return signal;
  }
  return null;
}

function runWith(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const children = childrenOf(node);
  for (const [at, child] of children.entries()) {
    const target = children[at + 1];
    if (child.name === "as" && target !== undefined) run.assign(target, run.evaluate(children[at - 1], scope), scope);
  }
  const body = children.at(-1);
  return body?.name === "Body" ? run.runBody(childrenOf(body), scope) : null;
}

function runReturn(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  const parts = splitAtCommas(childrenOf(node).slice(1));
  const [only] = parts;
  const isOne = parts.length === 1 && only?.length === 1 && childrenOf(node).at(-1)?.name !== ",";
  if (parts.length === 0) return { kind: "return", value: null };
  return { kind: "return", value: isOne ? run.evaluate(only[0], scope) : listOf(run, parts, scope) };
}

function runDelete(run: Interpreter, node: SyntaxNode, scope: Scope): Signal | null {
  for (const target of childrenOf(node).slice(1)) {
    if (target.name === "VariableName") scope.names.delete(textOf(target, scope));
    const [object, mark, key] = target.name === "MemberExpression" ? childrenOf(target) : [];
    const of = mark?.name === "[" ? run.evaluate(object, scope) : null;
    const at = isKind(of, "dict") ? run.evaluate(key, scope) : null;
    if (isKind(of, "dict") && isPlain(at)) of.entries.delete(at);
  }
  return null;
}
