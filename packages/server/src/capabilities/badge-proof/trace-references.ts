// Traces every value of an expression back to the three roots without evaluating it: which widgets, inputs and groups are
// read, and which literals they are compared with. Everything read must be traceable: passing on a whole root would hide
// what the client must watch, so a root may only be stepped into, looked up in, or bound to a name.
import { isAllowedFunction, takesContext, whyRefused } from "./allowed-functions.ts";
import type { Dependencies } from "./badge-shape.ts";
import type { Literal, Pair, Tree } from "./expression-tree.ts";
import { type Finding, failure, warning } from "./finding.ts";
import { member, type Traced, value } from "./traced-value.ts";
import { WidgetHints } from "./widget-hints.ts";

interface Scope {
  readonly names: Map<string, Traced>;
  readonly outer: Scope | null;
}

export interface References {
  readonly findings: readonly Finding[];
  // Per widget, the literals it is compared with: they make good probes.
  readonly hints: ReadonlyMap<string, ReadonlySet<string | number | boolean>>;
}

export function traceReferences(tree: Tree, dependsOn: Dependencies): References {
  const tracer = new Tracer(dependsOn);
  const top: Scope = { names: new Map(), outer: null };
  tracer.use(tree, { kind: "root" }, top);
  return { findings: [...tracer.findings, ...tracer.unused()], hints: tracer.hints.values };
}

const comparisons = new Set(["=", "!=", "<", "<=", ">", ">=", "in"]);
// These keep a widget's value comparable with the same literals.
const keepsWidget = new Set(["lowercase", "trim", "string", "number"]);

class Tracer {
  readonly findings: Finding[] = [];
  readonly hints: WidgetHints;
  readonly #dependsOn: Dependencies;
  readonly #read = { widgets: new Set<string>(), inputs: new Set<string>(), input_groups: new Set<string>() };

  constructor(dependsOn: Dependencies) {
    this.#dependsOn = dependsOn;
    this.hints = new WidgetHints(dependsOn.widgets, this.findings);
  }

  unused(): Finding[] {
    const never = (list: string, name: string) =>
      warning("unused_dependency", `depends_on.${list} declares "${name}", which the expression never reads.`);
    const { widgets, inputs, input_groups } = this.#dependsOn;
    return [
      ...widgets.filter(({ name }) => !this.#read.widgets.has(name)).map(({ name }) => never("widgets", name)),
      ...inputs.filter((name) => !this.#read.inputs.has(name)).map((name) => never("inputs", name)),
      ...input_groups.filter((name) => !this.#read.input_groups.has(name)).map((name) => never("input_groups", name)),
    ];
  }

  // The value itself is needed, so it must not be a whole root.
  use(tree: Tree, context: Traced, scope: Scope): Traced {
    const traced = this.#trace(tree, context, scope);
    switch (traced.kind) {
      case "root":
      case "widgets":
      case "inputs":
      case "groups":
        this.#refuse("root_as_value", "A root cannot be used as a whole. Name the widget, input or group.", tree);
        return value;
      case "input":
        this.#refuse("input_as_value", `Use inputs.${traced.name}.connected, which is true or false.`, tree);
        return value;
      default:
        return traced;
    }
  }

  #trace(tree: Tree, context: Traced, scope: Scope): Traced {
    const traced = this.#traceBody(tree, context, scope);
    for (const filter of tree.filters) this.use(filter, traced, scope);
    if (!tree.group) return traced;
    this.#usePairs(tree.group, traced, scope);
    return value;
  }

  #traceBody(tree: Tree, context: Traced, scope: Scope): Traced {
    switch (tree.kind) {
      case "literal":
        return value;
      case "name":
        return this.#member(context, tree.name, tree);
      case "path":
        return tree.steps.reduce((current, step) => this.#trace(step, current, scope), context);
      case "variable":
        return this.#variable(tree.name, context, scope, tree);
      case "binary":
        return this.#binary(tree, context, scope);
      case "negative":
        this.use(tree.operand, context, scope);
        return value;
      case "list":
        for (const item of tree.items) this.use(item, context, scope);
        return value;
      case "object":
        this.#usePairs(tree.pairs, context, scope);
        return { kind: "tables", pairs: [tree.pairs] };
      case "call":
        return this.#call(tree, null, context, scope);
      case "chain":
        return this.#chain(tree, context, scope);
      case "lambda":
        return this.#lambda(tree, context, scope);
      case "condition":
        return this.#condition(tree, context, scope);
      case "block":
        return this.#block(tree.expressions, context, { names: new Map(), outer: scope });
      case "bind":
        return this.#bind(tree.name, tree, context, scope);
      case "order":
        for (const term of tree.terms) this.use(term, context, scope);
        return context;
    }
  }

  #member(owner: Traced, name: string, tree: Tree): Traced {
    const found = member(owner, name, this.#dependsOn);
    if ("code" in found) {
      this.#refuse(found.code, found.message, tree);
      return value;
    }
    if (found.read) this.#read[found.read].add(name);
    return found.traced;
  }

  #variable(name: string, context: Traced, scope: Scope, tree: Tree): Traced {
    if (name === "") return context;
    if (name === "$") return { kind: "root" };
    const bound = lookUp(scope, name);
    if (bound) return bound;
    const why = whyRefused(name);
    if (why !== null) this.#refuse("function_refused", `$${name} ${why}.`, tree);
    else if (!isAllowedFunction(name)) {
      this.#refuse("unknown_name", `$${name} is neither a variable bound earlier nor a function of JSONata 2.1.`, tree);
    }
    return value;
  }

  #binary(tree: Tree & { kind: "binary" }, context: Traced, scope: Scope): Traced {
    const left = this.use(tree.left, context, scope);
    const right = this.use(tree.right, context, scope);
    if (comparisons.has(tree.operator)) {
      this.hints.compared(left, literalsOf(tree.right), tree.position);
      this.hints.compared(right, literalsOf(tree.left), tree.position);
    }
    return value;
  }

  // `piped` is the left side of ~>, which becomes the first argument.
  #call(tree: Tree & { kind: "call" }, piped: Traced | null, context: Traced, scope: Scope): Traced {
    const name = tree.procedure.kind === "variable" ? tree.procedure.name : null;
    this.use(tree.procedure, context, scope);
    if (name === null || lookUp(scope, name)) {
      for (const one of tree.given) this.use(one, context, scope);
      return value;
    }
    const count = tree.given.length + (piped ? 1 : 0);
    if (name === "lookup") return this.#lookup(tree, piped, context, scope);
    const traced = tree.given.map((one) => this.use(one, context, scope));
    if (takesContext(name, count)) this.#requireValue(context, tree);
    const first = piped ?? (takesContext(name, count) ? context : traced[0]);
    if (name === "contains") this.hints.compared(first, tree.given.flatMap(literalsOf), tree.position);
    return first?.kind === "widget" && keepsWidget.has(name) ? first : value;
  }

  #lookup(tree: Tree & { kind: "call" }, piped: Traced | null, context: Traced, scope: Scope): Traced {
    const [first, second] = tree.given;
    const key = second ?? first;
    if (!key) return value;
    const owner = piped ?? (second && first ? this.#trace(first, context, scope) : context);
    const wanted = this.use(key, context, scope);
    if (owner.kind === "tables") return this.hints.lookedUp(owner, wanted, key);
    if (key.kind === "literal" && typeof key.value === "string") return this.#member(owner, key.value, tree);
    if (owner.kind !== "value") {
      this.#refuse("dynamic_reference", "The name looked up in a root must be written out as a string.", tree);
    }
    return value;
  }

  #chain(tree: Tree & { kind: "chain" }, context: Traced, scope: Scope): Traced {
    const piped = this.use(tree.left, context, scope);
    if (tree.right.kind === "call") return this.#call(tree.right, piped, context, scope);
    this.use(tree.right, context, scope);
    return value;
  }

  #lambda(tree: Tree & { kind: "lambda" }, context: Traced, scope: Scope): Traced {
    const names = new Map<string, Traced>(tree.parameters.map((name) => [name, value]));
    const given = this.use(tree.body, context, { names, outer: scope });
    return tree.parameters.length === 0 ? given : value;
  }

  #condition(tree: Tree & { kind: "condition" }, context: Traced, scope: Scope): Traced {
    this.use(tree.test, context, scope);
    const yes = this.use(tree.yes, context, scope);
    const no = tree.no ? this.use(tree.no, context, scope) : value;
    if (yes.kind === "tables" && no.kind === "tables") return { kind: "tables", pairs: [...yes.pairs, ...no.pairs] };
    return yes.kind === "widget" ? yes : no.kind === "widget" ? no : value;
  }

  #block(expressions: readonly Tree[], context: Traced, scope: Scope): Traced {
    let last: Traced = value;
    expressions.forEach((expression, at) => {
      const isKept = expression.kind === "bind" || at === expressions.length - 1;
      last = isKept ? this.#trace(expression, context, scope) : this.use(expression, context, scope);
    });
    return last;
  }

  #bind(name: string, tree: Tree & { kind: "bind" }, context: Traced, scope: Scope): Traced {
    const before = lookUp(scope, name);
    // A function may call itself.
    if (tree.value.kind === "lambda") scope.names.set(name, before ?? value);
    const traced = this.#trace(tree.value, context, scope);
    if (before && (isRoot(before) || isRoot(traced))) {
      this.#refuse("root_rebound", `$${name} is used for a root and for something else. Use two names.`, tree);
    }
    scope.names.set(name, traced);
    return traced;
  }

  #usePairs(pairs: readonly Pair[], context: Traced, scope: Scope): void {
    for (const [key, content] of pairs) {
      this.use(key, context, scope);
      this.use(content, context, scope);
    }
  }

  #requireValue(context: Traced, tree: Tree): void {
    if (isRoot(context)) {
      this.#refuse(
        "root_as_value",
        "Without its first argument this function reads a whole root. Pass the argument.",
        tree,
      );
    }
  }

  #refuse(code: string, message: string, tree: Tree): void {
    this.findings.push(failure(code, message, tree.position));
  }
}

function isRoot(traced: Traced): boolean {
  return traced.kind !== "value" && traced.kind !== "widget" && traced.kind !== "tables";
}

function lookUp(scope: Scope, name: string): Traced | undefined {
  for (let one: Scope | null = scope; one; one = one.outer) {
    const found = one.names.get(name);
    if (found) return found;
  }
  return undefined;
}

function literalsOf(tree: Tree): readonly Literal[] {
  if (tree.kind === "literal") return [tree.value];
  return tree.kind === "list" ? tree.items.flatMap(literalsOf) : [];
}
