// Reads a pack: parses its modules when they are imported, runs what they do at import as far as it can be read, and
// counts every step. Nothing of the pack is ever executed.
import { readAttribute } from "./attributes.ts";
import { callValue } from "./calls.ts";
import { evaluateExpression, readArguments } from "./evaluate-expression.ts";
import { type Given, type Interpreter, OutOfSteps, type Position, type Signal } from "./interpreter.ts";
import { assignTo, runStatement } from "./run-statement.ts";
import {
  childrenOf,
  type ParsedFile,
  parseFunction,
  type SyntaxNode,
  type SyntaxProblem,
  syntaxError,
} from "./syntax.ts";
import { isKind, type ModuleState, type Scope, type Unknown, type Value } from "./value.ts";

export interface PackLimits {
  readonly stepsMax: number;
  readonly depthMax: number;
}

export const packLimits: PackLimits = { stepsMax: 3_000_000, depthMax: 150 };

const recursionMax = 2;

export interface ReadPack {
  readonly run: Interpreter;
  // Files that were imported and could not be parsed to their end.
  readonly broken: ReadonlyMap<string, SyntaxProblem>;
}

export function readPack(
  files: readonly string[],
  parse: (file: string) => ParsedFile | null,
  limits: PackLimits = packLimits,
): ReadPack {
  const run = new PackReader(files, parse, limits);
  return { run, broken: run.broken };
}

class PackReader implements Interpreter {
  readonly files: readonly string[];
  readonly broken = new Map<string, SyntaxProblem>();
  readonly #parse: (file: string) => ParsedFile | null;
  readonly #limits: PackLimits;
  readonly #present: ReadonlySet<string>;
  readonly #modules = new Map<string, ModuleState | null>();
  readonly #roots = [""];
  // How often each function is being called right now.
  readonly #active = new Map<string, number>();
  #steps = 0;
  #allowed: number;
  #depth = 0;

  constructor(files: readonly string[], parse: (file: string) => ParsedFile | null, limits: PackLimits) {
    this.files = files;
    this.#parse = parse;
    this.#limits = limits;
    this.#allowed = limits.stepsMax;
    this.#present = new Set(files);
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#allowed) throw new OutOfSteps();
  }

  allow(steps: number): void {
    this.#allowed = Math.min(this.#steps + steps, this.#limits.stepsMax * 4);
  }

  addRoot(folder: string): void {
    const root = folder === "" ? "" : `${folder}/`;
    if (this.#roots.length < 20 && !this.#roots.includes(root)) this.#roots.push(root);
  }

  importModule(name: string): ModuleState | null {
    const known = this.#modules.get(name);
    if (known !== undefined) return known;
    this.spend(20);
    const path = name.replaceAll(".", "/");
    const wanted = this.#roots.flatMap((root) => [`${root}${path}.py`, `${root}${path}/__init__.py`]);
    const file = (name === "" ? ["__init__.py"] : wanted).find((each) => this.#present.has(each));
    if (file !== undefined) return this.#load(name, file);
    // A folder without __init__.py is a package too.
    const starts = this.#roots.map((root) => `${root}${path}/`);
    const isFolder = name !== "" && this.files.some((each) => starts.some((start) => each.startsWith(start)));
    const module = isFolder ? { ...emptyModule(name), file: `${path}/` } : null;
    this.#modules.set(name, module);
    return module;
  }

  moduleOfFile(path: string): ModuleState | null {
    const file = [path, `${path}/__init__.py`].find((each) => this.#present.has(each));
    if (file === undefined) return null;
    return this.importModule(file.replace(/(?:\/?__init__)?\.py$/, "").replaceAll("/", "."));
  }

  readArguments(node: SyntaxNode, scope: Scope): Given {
    return readArguments(this, node, scope);
  }

  assign(target: SyntaxNode, value: Value, scope: Scope): void {
    assignTo(this, target, value, scope);
  }

  attribute(of: Value, name: string, at: Position): Value {
    return readAttribute(this, of, name, at);
  }

  unknown(why: string, { module, node }: Position): Unknown {
    return { kind: "unknown", why, file: module.file, line: module.lineOf(node.from) };
  }

  evaluate(node: SyntaxNode | undefined, scope: Scope): Value {
    this.spend(1);
    if (node === undefined) return null;
    return this.#deeper(
      () => evaluateExpression(this, node, scope),
      () => this.unknown("an expression that is nested too deeply", { module: scope.module, node }),
    );
  }

  call(callee: Value, given: Given, at: Position): Value {
    this.spend(5);
    // Both branches of a condition are read, so a function that calls itself would be read without end.
    const key = isKind(callee, "function") ? `${callee.scope.module.file}:${callee.node.from}` : "";
    const times = key === "" ? 0 : (this.#active.get(key) ?? 0);
    if (times >= recursionMax) return this.unknown("a function that calls itself", at);
    this.#active.set(key, times + 1);
    try {
      return this.#deeper(
        () => callValue(this, callee, given, at),
        () => this.unknown("calls that are nested too deeply", at),
      );
    } finally {
      this.#active.set(key, times);
    }
  }

  runBody(statements: readonly SyntaxNode[], scope: Scope): Signal | null {
    for (const statement of statements) {
      this.spend(1);
      const signal = this.#deeper(
        () => runStatement(this, statement, scope),
        () => null,
      );
      // At the top of a module, an exception in a branch must not hide what follows.
      const isOfLoop = signal?.kind === "break" || signal?.kind === "continue";
      if (signal !== null && (scope.kind !== "module" || isOfLoop)) return signal;
    }
    return null;
  }

  #load(name: string, file: string): ModuleState | null {
    const parsed = this.#parse(file);
    if (parsed === null) return null;
    this.#noteProblem(file, parsed);
    const { source, lineOf } = parsed;
    const isPackage = file.endsWith("__init__.py");
    const wholeOf = this.#functionsOf(parsed);
    const module: ModuleState = { ...emptyModule(name), isPackage, file, source, lineOf, wholeOf };
    // Before it runs, so that two modules may import each other.
    this.#modules.set(name, module);
    const { names } = module;
    const scope: Scope = { module, names, parent: null, kind: "module", kept: new Set(), maybeReturned: [] };
    this.#deeper(
      () => this.runBody(childrenOf(parsed.tree.topNode), scope),
      () => null,
    );
    return module;
  }

  // Those that were left out of the tree are parsed when they are first asked for.
  #functionsOf(parsed: ParsedFile): (definition: SyntaxNode) => SyntaxNode {
    const { file, source, lineOf, unread } = parsed;
    const read = new Map<number, SyntaxNode>();
    return (definition) => {
      const span = unread.get(definition.from);
      if (span === undefined || definition.name !== "FunctionDefinition") return definition;
      const known = read.get(span.from);
      if (known !== undefined) return known;
      const tree = parseFunction(source, span);
      this.#noteProblem(file, { tree, lineOf });
      const whole = tree.topNode.firstChild ?? definition;
      read.set(span.from, whole);
      return whole;
    };
  }

  #noteProblem(file: string, parsed: Pick<ParsedFile, "tree" | "lineOf">): void {
    const problem = syntaxError(parsed);
    if (problem !== null && !this.broken.has(file)) this.broken.set(file, problem);
  }

  #deeper<Result>(make: () => Result, tooDeep: () => Result): Result {
    if (this.#depth >= this.#limits.depthMax) return tooDeep();
    this.#depth++;
    try {
      return make();
    } finally {
      this.#depth--;
    }
  }
}

function emptyModule(name: string): ModuleState {
  return {
    name,
    isPackage: true,
    file: "",
    source: "",
    names: new Map(),
    lineOf: () => 1,
    wholeOf: (definition) => definition,
  };
}
