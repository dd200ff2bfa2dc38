// The parts of JSONata that a badge may use, read from the library's own tree. Anything outside this union is refused
// with a reason, so the walk over it is complete and a new kind of node cannot slip through.
import { type Finding, failure } from "./finding.ts";

export type Literal = string | number | boolean | null;

export type Tree = TreeBody & {
  readonly position: number | null;
  // Predicates in brackets after this part; their context is this part's value.
  readonly filters: readonly Tree[];
  // `path{key: value}`: a grouping over this part's value.
  readonly group: readonly Pair[] | null;
};

export type Pair = readonly [key: Tree, value: Tree];

export type TreeBody =
  | { readonly kind: "literal"; readonly value: Literal }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "path"; readonly steps: readonly Tree[] }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Tree; readonly right: Tree }
  | { readonly kind: "negative"; readonly operand: Tree }
  | { readonly kind: "list"; readonly items: readonly Tree[] }
  | { readonly kind: "object"; readonly pairs: readonly Pair[] }
  | { readonly kind: "call"; readonly procedure: Tree; readonly given: readonly Tree[] }
  | { readonly kind: "lambda"; readonly parameters: readonly string[]; readonly body: Tree }
  | { readonly kind: "condition"; readonly test: Tree; readonly yes: Tree; readonly no: Tree | null }
  | { readonly kind: "block"; readonly expressions: readonly Tree[] }
  | { readonly kind: "bind"; readonly name: string; readonly value: Tree }
  | { readonly kind: "chain"; readonly left: Tree; readonly right: Tree }
  | { readonly kind: "order"; readonly terms: readonly Tree[] };

type Raw = Readonly<Record<string, unknown>>;

const refusedKinds: ReadonlyMap<string, readonly [code: string, why: string]> = new Map([
  [
    "regex",
    [
      "regex_refused",
      "Regular expressions are not allowed, because a bad one hangs every client. Use $contains or a table.",
    ],
  ],
  ["transform", ["transform_refused", "The transform operator | … | is not allowed: a price only reads values."]],
  ["wildcard", ["wildcard_refused", "The wildcard * is not allowed. Name the widgets, so that they can be declared."]],
  [
    "descendant",
    ["wildcard_refused", "The descendant wildcard ** is not allowed. Name the widgets, so that they can be declared."],
  ],
  [
    "parent",
    [
      "parent_refused",
      "The parent operator % is not allowed, because it hides which value is read. Start the path at its root.",
    ],
  ],
]);

export function readTree(raw: unknown, source: string): { tree: Tree; findings: readonly Finding[] } {
  const reader = new Reader(source);
  return { tree: reader.read(raw), findings: reader.findings };
}

class Reader {
  readonly findings: Finding[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  read(value: unknown): Tree {
    const raw = record(value);
    const position = typeof raw["position"] === "number" ? raw["position"] : null;
    if (raw["focus"] !== undefined || raw["index"] !== undefined || this.#hasIndexStage(raw)) {
      this.#refuse("binding_refused", "Binding with @ or # is not allowed. Bind a variable with := instead.", position);
    }
    const filters = [...list(raw["predicate"]), ...list(raw["stages"])]
      .map(record)
      .filter((stage) => stage["type"] === "filter")
      .map((stage) => this.read(stage["expr"]));
    const group = raw["group"] === undefined ? null : this.#pairs(record(raw["group"])["lhs"]);
    return { ...this.#body(raw, position), position, filters, group };
  }

  #body(raw: Raw, position: number | null): TreeBody {
    switch (raw["type"]) {
      case "string":
      case "number":
      case "value":
        return { kind: "literal", value: literal(raw["value"]) };
      case "name":
        return { kind: "name", name: String(raw["value"]) };
      case "variable":
        return { kind: "variable", name: String(raw["value"]) };
      case "path":
        return { kind: "path", steps: this.#many(raw["steps"]) };
      case "binary":
        return this.#binary(raw);
      case "unary":
        return this.#unary(raw);
      case "function":
      case "partial":
        return { kind: "call", procedure: this.read(raw["procedure"]), given: this.#given(raw["arguments"]) };
      case "lambda":
        return this.#lambda(raw);
      case "condition":
        return this.#condition(raw, position);
      case "block":
        return { kind: "block", expressions: this.#many(raw["expressions"]) };
      case "bind":
        return { kind: "bind", name: String(record(raw["lhs"])["value"]), value: this.read(raw["rhs"]) };
      case "apply":
        return { kind: "chain", left: this.read(raw["lhs"]), right: this.read(raw["rhs"]) };
      case "sort":
        return { kind: "order", terms: list(raw["terms"]).map((term) => this.read(record(term)["expression"])) };
      default:
        return this.#refusedKind(String(raw["type"]), position);
    }
  }

  #binary(raw: Raw): TreeBody {
    return {
      kind: "binary",
      operator: String(raw["value"]),
      left: this.read(raw["lhs"]),
      right: this.read(raw["rhs"]),
    };
  }

  #unary(raw: Raw): TreeBody {
    if (raw["value"] === "[") return { kind: "list", items: this.#many(raw["expressions"]) };
    if (raw["value"] === "{") return { kind: "object", pairs: this.#pairs(raw["lhs"]) };
    return { kind: "negative", operand: this.read(raw["expression"]) };
  }

  // The library wraps a call in tail position in a function without parameters; we treat it as the call.
  #lambda(raw: Raw): TreeBody {
    return {
      kind: "lambda",
      parameters: list(raw["arguments"]).map((parameter) => String(record(parameter)["value"])),
      body: this.read(raw["body"]),
    };
  }

  #condition(raw: Raw, position: number | null): TreeBody {
    const no = raw["else"] === undefined ? null : this.read(raw["else"]);
    const yes = this.read(raw["then"]);
    const operator = position === null ? "" : this.#source.slice(position - 2, position);
    // JSONata 2.1.0 evaluates the left side of these two twice and breaks it if it contains a predicate or a minus sign;
    // clients with that version would show a different price than we prove.
    if ((operator === "??" || operator === "?:") && isSpoiledBy210(yes)) {
      this.#refuse(
        "differs_in_2_1",
        `JSONata 2.1.0 misreads ${operator} after a predicate or a negative number. Bind the left side to a variable first.`,
        position,
      );
    }
    return { kind: "condition", test: this.read(raw["condition"]), yes, no };
  }

  #given(value: unknown): readonly Tree[] {
    // A question mark in a partial application is not a value.
    return list(value)
      .filter((one) => record(one)["type"] !== "operator")
      .map((one) => this.read(one));
  }

  #many(value: unknown): readonly Tree[] {
    return list(value).map((one) => this.read(one));
  }

  #pairs(value: unknown): readonly Pair[] {
    return list(value).map((pair) => {
      const [key, content] = list(pair);
      return [this.read(key), this.read(content)];
    });
  }

  #hasIndexStage(raw: Raw): boolean {
    return list(raw["stages"]).some((stage) => record(stage)["type"] === "index");
  }

  #refusedKind(kind: string, position: number | null): TreeBody {
    const [code, why] = refusedKinds.get(kind) ?? ["unknown_syntax", `A badge may not use "${kind}".`];
    this.#refuse(code, why, position);
    return { kind: "literal", value: null };
  }

  #refuse(code: string, why: string, position: number | null): void {
    this.findings.push(failure(code, why, position));
  }
}

function isSpoiledBy210(tree: Tree): boolean {
  if (tree.filters.length > 0 || tree.kind === "negative") return true;
  if (tree.kind === "literal") return typeof tree.value === "number" && tree.value < 0;
  return tree.kind === "path" && tree.steps.some(isSpoiledBy210);
}

function record(value: unknown): Raw {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function literal(value: unknown): Literal {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
