// Calls: functions and classes of the pack are entered, methods of known values and a few library functions are computed,
// and every other call stays what it is: a call of something external.
import { memberOf, outerBases } from "./attributes.ts";
import { builtInCalls } from "./built-in-calls.ts";
import type { Given, Interpreter, Position } from "./interpreter.ts";
import { callMethod } from "./methods.ts";
import { childrenOf, partsOf, type SyntaxNode } from "./syntax.ts";
import {
  type ClassValue,
  dict,
  type FunctionValue,
  type Instance,
  isKind,
  list,
  type Scope,
  type Value,
} from "./value.ts";

export function callValue(run: Interpreter, callee: Value, given: Given, at: Position): Value {
  if (isKind(callee, "function")) {
    if (callee.marks.includes("method")) {
      const result = callMethod(run, callee.bound ?? null, callee.name, given, at);
      return result === undefined ? run.unknown(`“${callee.name}()”`, at) : result;
    }
    return callFunction(run, callee, given, at);
  }
  if (isKind(callee, "class")) return makeInstance(run, callee, given, at);
  if (isKind(callee, "instance")) {
    const method = memberOf(callee.of, "__call__");
    return isKind(method, "function")
      ? callFunction(run, { ...method, bound: callee }, given, at)
      : run.unknown("a call", at);
  }
  if (isKind(callee, "external") || isKind(callee, "call")) {
    const known = isKind(callee, "external") ? builtInCalls.get(callee.path)?.(run, given, at) : undefined;
    if (known !== undefined) return known;
    return {
      kind: "call",
      callee,
      args: given.args,
      named: new Map(given.named),
      file: at.module.file,
      line: lineOf(at),
    };
  }
  return run.unknown("a call of something computed", at);
}

const lineOf = ({ module, node }: Position) => module.lineOf(node.from);

function callFunction(run: Interpreter, called: FunctionValue, given: Given, at: Position): Value {
  const { node, scope: around } = called;
  const scope: Scope = {
    module: around.module,
    names: new Map(),
    parent: around,
    kind: "function",
    kept: new Set(),
    maybeReturned: [],
  };
  const bound = called.bound === undefined ? [] : [called.bound];
  const children = childrenOf(around.module.wholeOf(node));
  bindParameters(
    run,
    children.find(({ name }) => name === "ParamList"),
    { ...given, args: [...bound, ...given.args] },
    scope,
  );
  if (node.name === "LambdaExpression") return run.evaluate(children.at(-1), scope);
  const body = children.find(({ name }) => name === "Body");
  const signal = run.runBody(body === undefined ? [] : childrenOf(body), scope);
  if (signal?.kind === "return" && signal.value !== null) return signal.value;
  const [maybe] = scope.maybeReturned;
  if (maybe !== undefined) return maybe;
  return signal?.kind === "raise" ? run.unknown("a function that raises an exception", at) : null;
}

function bindParameters(run: Interpreter, params: SyntaxNode | undefined, given: Given, scope: Scope): void {
  if (params === undefined) return;
  const args = [...given.args];
  const named = new Map(given.named);
  let isKeywordOnly = false;
  for (const part of partsOf(params)) {
    const [first, second] = part;
    if (first === undefined || first.name === "/") continue;
    const nameOf = (node: SyntaxNode) => scope.module.source.slice(node.from, node.to);
    if (first.name === "*") {
      isKeywordOnly = true;
      if (second !== undefined) scope.names.set(nameOf(second), list(args.splice(0), given.open));
    } else if (first.name === "**") {
      if (second !== undefined) scope.names.set(nameOf(second), dict(named, given.open));
    } else {
      const name = nameOf(first);
      const passed = isKeywordOnly || args.length === 0 ? named.get(name) : args.shift();
      named.delete(name);
      const at = part.findIndex((each) => each.name === "AssignOp");
      const fallback = at < 0 ? undefined : part[at + 1];
      const value =
        passed ??
        (passed === null ? null : fallback === undefined ? undefined : run.evaluate(fallback, scope.parent ?? scope));
      scope.names.set(
        name,
        value === undefined ? run.unknown(`the parameter ${name}`, { module: scope.module, node: first }) : value,
      );
    }
  }
}

function makeInstance(run: Interpreter, of: ClassValue, given: Given, at: Position): Value {
  // `class AnyType(str)`: its instances are texts. A call of an enumeration picks a member.
  const outer = outerBases(of);
  const [only] = given.args;
  if (
    typeof only === "string" &&
    given.args.length === 1 &&
    outer.some((path) => path === "str" || /(?:^|\.)\w*Enum$/.test(path))
  )
    return only;
  if ((isKind(only, "list") && outer.includes("tuple")) || (isKind(only, "dict") && outer.includes("dict")))
    return only;
  const made: Instance = { kind: "instance", of, members: new Map() };
  const start = memberOf(of, "__init__");
  if (isKind(start, "function")) callFunction(run, { ...start, bound: made }, given, at);
  // Data classes and named tuples: what was given by name is a member.
  else for (const [name, value] of given.named) made.members.set(name, value);
  return made;
}
