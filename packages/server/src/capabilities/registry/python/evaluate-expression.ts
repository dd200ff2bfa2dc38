// Expressions: literals, names, operators, attributes, subscripts, comprehensions and calls.
import { evaluateComprehension } from "./evaluate-comprehension.ts";
import type { Given, Interpreter } from "./interpreter.ts";
import { binary, compare, subscript } from "./operators.ts";
import {
  childrenOf,
  numberValue,
  partsOf,
  type SyntaxNode,
  splitAtCommas,
  stringValue,
  unescapeText,
} from "./syntax.ts";
import {
  type DictValue,
  dict,
  external,
  isKind,
  isPlain,
  type ListValue,
  list,
  type Scope,
  truthOf,
  type Value,
} from "./value.ts";

type Reader = (run: Interpreter, node: SyntaxNode, scope: Scope) => Value;

const readers: Readonly<Record<string, Reader>> = {
  VariableName: (run, node, scope) => lookUp(run, text(node, scope), node, scope),
  String: (_, node, scope) => stringValue(text(node, scope)),
  FormatString: readFormat,
  ContinuedString: readContinued,
  Number: (run, node, scope) =>
    numberValue(text(node, scope)) ?? run.unknown("a number", { module: scope.module, node }),
  Boolean: (_, node, scope) => text(node, scope) === "True",
  None: () => null,
  ParenthesizedExpression: (run, node, scope) => run.evaluate(inside(node), scope),
  TupleExpression: readList,
  ArrayExpression: readList,
  SetExpression: readList,
  DictionaryExpression: readDict,
  ArrayComprehensionExpression: evaluateComprehension,
  ComprehensionExpression: evaluateComprehension,
  SetComprehensionExpression: evaluateComprehension,
  DictionaryComprehensionExpression: evaluateComprehension,
  AwaitExpression: (run, node, scope) => run.evaluate(childrenOf(node)[1], scope),
  NamedExpression: readNamed,
  ConditionalExpression: readConditional,
  LambdaExpression: (_, node, scope) => ({
    kind: "function",
    name: "lambda",
    node,
    scope,
    marks: [],
    bound: undefined,
  }),
  UnaryExpression: readUnary,
  BinaryExpression: readBinary,
  MemberExpression: readMember,
  CallExpression: readCall,
};

export function evaluateExpression(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const read = readers[node.name];
  return read === undefined ? run.unknown(`“${node.name}”`, { module: scope.module, node }) : read(run, node, scope);
}

const text = (node: SyntaxNode, { module }: Scope) => module.source.slice(node.from, node.to);
const inside = (node: SyntaxNode) => childrenOf(node).find(({ name }) => name !== "(" && name !== ")");

// Python looks in the function, the functions around it, the module and the built-ins; not in the classes around it.
function lookUp(run: Interpreter, name: string, node: SyntaxNode, scope: Scope): Value {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.kind === "class" && at !== scope) continue;
    const found = at.names.get(name);
    if (found !== undefined) return found;
  }
  if (name === "__file__") return `/pack/${scope.module.file}`;
  if (name === "__name__") return scope.module.name === "" ? "pack" : `pack.${scope.module.name}`;
  if (name === "__package__") return packageOf(scope);
  if (builtIns.has(name)) return external(name);
  return run.unknown(`the name ${name}`, { module: scope.module, node });
}

function packageOf({ module }: Scope): string {
  const name = module.isPackage ? module.name : module.name.split(".").slice(0, -1).join(".");
  return name === "" ? "pack" : `pack.${name}`;
}

const builtIns = new Set(
  `len range list tuple dict set frozenset str int float bool sorted reversed zip map filter enumerate min max sum abs round
  getattr hasattr setattr isinstance issubclass type callable print open globals locals vars dir super any all iter next repr
  object Exception ImportError ModuleNotFoundError AttributeError classmethod staticmethod property eval exec compile
  __import__ id hash format chr ord bytes divmod pow input delattr KeyError ValueError TypeError RuntimeError NotImplemented`.split(
    /\s+/,
  ),
);

function readFormat(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const whole = text(node, scope);
  const quote = /^[A-Za-z]*('''|"""|'|")/.exec(whole);
  let result = "";
  let at = node.from + (quote?.[0].length ?? 0);
  const literal = (to: number) =>
    unescapeText(scope.module.source.slice(at, to).replaceAll("{{", "{").replaceAll("}}", "}"));
  for (const field of childrenOf(node).filter(({ name }) => name === "FormatReplacement")) {
    result += literal(field.from);
    const parts = childrenOf(field);
    const value = run.evaluate(parts[1], scope);
    const isPlainField = parts.every(({ name }) => name !== "FormatSpec" && name !== "FormatConversion");
    if (!isPlain(value) || !isPlainField) return run.unknown("a formatted text", { module: scope.module, node });
    result += shown(value);
    at = field.to;
  }
  return result + literal(node.to - (quote?.[1]?.length ?? 0));
}

export function shown(value: string | number | bigint | boolean | null): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

function readContinued(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const parts = childrenOf(node).map((part) => run.evaluate(part, scope));
  return parts.every((part) => typeof part === "string")
    ? parts.join("")
    : run.unknown("a formatted text", { module: scope.module, node });
}

function readList(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  return listOf(run, partsOf(node), scope);
}

// `a, *b, c` as it is in brackets, and without them on the right of an assignment.
export function listOf(run: Interpreter, parts: readonly (readonly SyntaxNode[])[], scope: Scope): ListValue {
  const result = list([]);
  for (const part of parts) {
    if (part[0]?.name !== "*") {
      result.items.push(run.evaluate(part[0], scope));
      continue;
    }
    const spread = run.evaluate(part[1], scope);
    if (isKind(spread, "list")) {
      run.spend(spread.items.length);
      result.items.push(...spread.items);
      result.open ??= spread.open;
    } else result.open ??= spread;
  }
  return result;
}

function readDict(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const result = dict();
  for (const part of partsOf(node)) {
    if (part[0]?.name === "**") mergeInto(run, result, run.evaluate(part[1], scope));
    else {
      const key = run.evaluate(part[0], scope);
      const value = run.evaluate(part[2], scope);
      if (isPlain(key) || isKind(key, "class")) result.entries.set(key, value);
      else result.open ??= key;
    }
  }
  return result;
}

export function mergeInto(run: Pick<Interpreter, "spend">, target: DictValue, more: Value): void {
  if (!isKind(more, "dict")) {
    // A name that its module does not have: the statement raises an exception, and the pack goes on without it.
    if (isKind(more, "external") && more.path.startsWith("pack.")) return;
    target.open ??= more;
    return;
  }
  run.spend(more.entries.size);
  for (const [key, value] of more.entries) target.entries.set(key, value);
  target.open ??= more.open;
}

function readNamed(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const [target, , right] = childrenOf(node);
  const value = run.evaluate(right, scope);
  if (target !== undefined) run.assign(target, value, scope);
  return value;
}

function readConditional(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const [first, , test, , second] = childrenOf(node);
  const truth = truthOf(run.evaluate(test, scope));
  if (truth !== undefined) return run.evaluate(truth ? first : second, scope);
  return run.unknown("a choice made at run time", { module: scope.module, node });
}

function readUnary(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const [operator, operand] = childrenOf(node);
  const value = run.evaluate(operand, scope);
  const word = operator === undefined ? "" : text(operator, scope);
  if (word === "not") return truthOf(value) === undefined ? value : !truthOf(value);
  if (word === "-" && (typeof value === "number" || typeof value === "bigint")) return -value;
  return word === "+" ? value : run.unknown("an operation", { module: scope.module, node });
}

function readBinary(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const parts = childrenOf(node);
  const [left, right] = [parts[0], parts.at(-1)];
  const word = parts
    .slice(1, -1)
    .map((part) => text(part, scope))
    .join(" ");
  const first = run.evaluate(left, scope);
  if (word === "and" || word === "or") {
    const truth = truthOf(first);
    if (truth === undefined) {
      const second = run.evaluate(right, scope);
      // The first is not known, but one that is false makes `and` false, and one that is true makes `or` true.
      return truthOf(second) === (word === "or") && typeof second === "boolean" ? second : first;
    }
    return truth === (word === "or") ? first : run.evaluate(right, scope);
  }
  const second = run.evaluate(right, scope);
  const position = { module: scope.module, node };
  return compare(word, first, second) ?? binary(run, word, first, second) ?? run.unknown("an operation", position);
}

function readMember(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const parts = childrenOf(node);
  const [object, mark, ...rest] = parts;
  const of = run.evaluate(object, scope);
  const position = { module: scope.module, node };
  // `1.` is a number.
  if (object?.name === "Number" && rest.length === 0) return of;
  if (mark?.name === "." && rest[0] !== undefined) return run.attribute(of, text(rest[0], scope), position);
  const keys = rest.filter(({ name }) => name !== "]");
  if (keys.some(({ name }) => name === ":"))
    return slice(run, of, keys, scope) ?? run.unknown("a part of it", position);
  const key = keys.length === 1 ? run.evaluate(keys[0], scope) : listOf(run, splitAtCommas(keys), scope);
  const found = subscript(of, key);
  return found === undefined ? run.unknown(`“${text(node, scope).slice(0, 60)}”`, position) : found;
}

function slice(run: Interpreter, of: Value, keys: readonly SyntaxNode[], scope: Scope): Value | null {
  const bounds: (number | undefined)[] = [undefined];
  for (const key of keys) {
    if (key.name === ":") {
      bounds.push(undefined);
      continue;
    }
    const value = run.evaluate(key, scope);
    if (typeof value !== "number") return null;
    bounds[bounds.length - 1] = value;
  }
  const [start, end, step = 1] = bounds;
  const isReversed = step === -1 && start === undefined && end === undefined;
  if (step !== 1 && !isReversed) return null;
  if (typeof of === "string") return isReversed ? [...of].reverse().join("") : of.slice(start, end);
  if (!isKind(of, "list") || of.open !== null) return null;
  return list(isReversed ? of.items.toReversed() : of.items.slice(start, end));
}

function readCall(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const [callee, args] = childrenOf(node);
  const position = { module: scope.module, node };
  const given = args === undefined ? noArguments : readArguments(run, args, scope);
  // Names of the scope itself are read here, where the scope is known.
  if (callee?.name === "VariableName") {
    const name = text(callee, scope);
    if (name === "globals") return { kind: "dict", entries: scope.module.names as Map<Value, Value>, open: null };
    if (name === "locals") return { kind: "dict", entries: scope.names as Map<Value, Value>, open: null };
    if (name === "super" && given.args.length === 0) return superOf(scope) ?? run.unknown("super()", position);
  }
  return run.call(run.evaluate(callee, scope), given, position);
}

export const noArguments: Given = { args: [], named: new Map(), open: null };

// The first base, as the one that `super()` usually means.
function superOf(scope: Scope): Value | null {
  const [self] = Array.from(scope.names.values());
  if (isKind(self, "class")) return self.bases.find((base) => isKind(base, "class")) ?? null;
  return null;
}

export function readArguments(run: Interpreter, node: SyntaxNode, scope: Scope): Given {
  const args: Value[] = [];
  const named = new Map<string, Value>();
  let open: Value | null = null;
  for (const part of partsOf(node)) {
    const [first, second, third] = part;
    if (first?.name === "*") {
      const spread = run.evaluate(second, scope);
      if (isKind(spread, "list")) {
        args.push(...spread.items);
        open ??= spread.open;
      } else open ??= spread;
    } else if (first?.name === "**") {
      const spread = run.evaluate(second, scope);
      if (isKind(spread, "dict")) {
        for (const [key, value] of spread.entries) if (typeof key === "string") named.set(key, value);
        open ??= spread.open;
      } else open ??= spread;
    } else if (second?.name === "AssignOp" && first !== undefined)
      named.set(text(first, scope), run.evaluate(third, scope));
    else if (part.some(({ name }) => name === "for")) args.push(evaluateComprehension(run, node, scope));
    else args.push(run.evaluate(first, scope));
  }
  return { args, named, open };
}
