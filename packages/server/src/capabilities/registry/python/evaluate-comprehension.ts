// Comprehensions over what can be read: `{c.NAME: c for c in classes if c.ok}`.
import type { Interpreter } from "./interpreter.ts";
import { itemsOf } from "./operators.ts";
import { childrenOf, type SyntaxNode } from "./syntax.ts";
import { dict, isKind, isPlain, list, type Scope, truthOf, type Value } from "./value.ts";

interface Clause {
  readonly kind: "for" | "if";
  readonly targets: readonly SyntaxNode[];
  readonly test: SyntaxNode | undefined;
}

export function evaluateComprehension(run: Interpreter, node: SyntaxNode, scope: Scope): Value {
  const parts = childrenOf(node).filter(({ name }) => !"()[]{}".includes(name) && name !== "async");
  const at = parts.findIndex(({ name }) => name === "for");
  const [result, clauses] = [parts.slice(0, at), clausesOf(parts.slice(at))];
  const isDict = node.name === "DictionaryComprehensionExpression" && result[0]?.name !== "**";
  const made = isDict ? dict() : list([]);
  const inner: Scope = {
    ...scope,
    names: new Map(),
    parent: scope,
    kind: "function",
    kept: new Set(),
    maybeReturned: [],
  };
  loop(run, clauses, inner, made, () => {
    const first = run.evaluate(result[0], inner);
    if (made.kind === "list") made.items.push(first);
    else if (isPlain(first) || isKind(first, "class")) made.entries.set(first, run.evaluate(result[2], inner));
    else made.open ??= first;
  });
  return made;
}

function clausesOf(parts: readonly SyntaxNode[]): readonly Clause[] {
  const clauses: Clause[] = [];
  for (let at = 0; at < parts.length; ) {
    if (parts[at]?.name === "if") {
      clauses.push({ kind: "if", targets: [], test: parts[at + 1] });
      at += 2;
      continue;
    }
    const end = parts.findIndex(({ name }, index) => index > at && name === "in");
    if (end < 0) break;
    const targets = parts.slice(at + 1, end).filter(({ name }) => name !== ",");
    clauses.push({ kind: "for", targets, test: parts[end + 1] });
    at = end + 2;
  }
  return clauses;
}

function loop(
  run: Interpreter,
  [clause, ...rest]: readonly Clause[],
  scope: Scope,
  made: { open: Value | null },
  each: () => void,
): void {
  run.spend(1);
  if (clause === undefined) {
    each();
    return;
  }
  const value = run.evaluate(clause.test, scope);
  if (clause.kind === "if") {
    if (truthOf(value) !== false) loop(run, rest, scope, made, each);
    return;
  }
  const { items, open } = itemsOf(value);
  made.open ??= open;
  for (const item of items) {
    bind(run, clause.targets, item, scope);
    loop(run, rest, scope, made, each);
  }
}

export function bind(run: Interpreter, targets: readonly SyntaxNode[], item: Value, scope: Scope): void {
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) {
    run.assign(only, item, scope);
    return;
  }
  const parts = isKind(item, "list") ? item.items : [];
  for (const [index, target] of targets.entries()) {
    run.assign(target, parts[index] ?? run.unknown("a part of it", { module: scope.module, node: target }), scope);
  }
}
