// Which library or module of the pack a name in a file stands for. Aliases count wherever in the file they are made: one
// that is only made in a function is still what the name stands for there.
import { childrenOf, type SyntaxNode, splitAtCommas, stringValue, type Tree } from "./syntax.ts";

import { isTopName } from "./uses-table.ts";

const depthMax = 40;

interface OfModule {
  readonly name: string;
  readonly isPackage: boolean;
}

export class NameResolver {
  readonly #source: string;
  readonly #module: OfModule;
  readonly #aliases = new Map<string, string>();
  readonly #texts = new Map<string, SyntaxNode>();

  constructor(source: string, module: OfModule) {
    this.#source = source;
    this.#module = module;
  }

  // Of the whole file, or of one function that was left out of its tree.
  readAliases(tree: Tree): void {
    const pathOf = (node: SyntaxNode) => this.pathOf(node);
    const into = { aliases: this.#aliases, texts: this.#texts, pathOf };
    collectAliases(tree, this.#source, this.#module, into);
  }

  // Without the texts, which keep the tree alive.
  dropTexts(): void {
    this.#texts.clear();
  }

  // `os.system` for what the expression stands for. Null if that is not known; `?` is something computed.
  pathOf(node: SyntaxNode | undefined, depth = 0): string | null {
    if (node === undefined || depth > depthMax) return null;
    if (node.name === "VariableName") return this.#aliases.get(this.#text(node)) ?? this.#text(node);
    if (node.name === "ParenthesizedExpression") return this.pathOf(childrenOf(node)[1], depth + 1);
    if (node.name === "MemberExpression") return this.#pathOfMember(node, depth);
    return node.name === "CallExpression" ? this.#pathOfCall(node, depth) : null;
  }

  // The same for the text of a plain chain of names, without its nodes; undefined if it is not one.
  pathOfChain(text: string): string | undefined {
    if (!chain.test(text)) return undefined;
    const [first = "", ...keys] = text.split(".");
    if (keys.length > depthMax) return undefined;
    return keys.reduce((path, key) => plain(`${path}.${key}`), this.#aliases.get(first) ?? first);
  }

  // Whether a plain name stands for a library, or is one.
  isKnown(name: string): boolean {
    return this.#aliases.has(name) || isTopName(name);
  }

  // The dotted name of a decorator.
  dotted(decorator: SyntaxNode): string | null {
    const words = childrenOf(decorator)
      .filter(({ name }) => name === "VariableName")
      .map((node) => this.#text(node));
    const [first = "", ...rest] = words;
    return words.length === 0 ? null : [this.#aliases.get(first) ?? first, ...rest].join(".");
  }

  lastName(member: SyntaxNode): string | null {
    const [, mark, name] = childrenOf(member);
    return mark?.name === "." ? this.#text(name) : null;
  }

  // The module whose member is taken by a name that is computed.
  computedMemberOf(call: SyntaxNode): string | null {
    const [callee, args] = childrenOf(call);
    if (this.#text(callee) !== "getattr") return null;
    const [of, name] = argumentsOf(args);
    return this.#fold(name, 0) === null ? this.pathOf(of) : null;
  }

  isComputedImport(call: SyntaxNode): boolean {
    const [callee, args] = childrenOf(call);
    const path = this.pathOf(callee);
    if (path !== "__import__" && path !== "importlib.import_module") return false;
    const given = argumentsOf(args);
    const isOfPack = path !== "__import__" && (given.length > 1 || /^f?["']\./.test(this.#text(given[0])));
    return !isOfPack && this.#fold(given[0], 0) === null;
  }

  #text(node: SyntaxNode | undefined): string {
    return node ? this.#source.slice(node.from, node.to) : "";
  }

  #pathOfMember(node: SyntaxNode, depth: number): string | null {
    const [object, mark, key] = childrenOf(node);
    const of = this.pathOf(object, depth + 1);
    if (of === null) return null;
    if (mark?.name === ".") return plain(`${of}.${this.#text(key)}`);
    const name = this.#fold(key, depth + 1);
    if (of === "sys.modules") return name;
    if (name !== null && /(?:\.__dict__|^__builtins__|^builtins|^globals\(\))$/.test(of)) {
      const base = of.replace(/\.?__dict__$|^globals\(\)$/, "");
      return plain(base === "" ? name : `${base}.${name}`);
    }
    return `${of}[]`;
  }

  #pathOfCall(node: SyntaxNode, depth: number): string | null {
    const [callee, args] = childrenOf(node);
    const path = this.pathOf(callee, depth + 1);
    if (path === null || args === undefined) return null;
    const [first, second] = argumentsOf(args);
    if (path === "__import__" || path === "importlib.import_module") return this.#fold(first, depth + 1) ?? "?";
    if (path === "getattr") {
      const [of, name] = [this.pathOf(first, depth + 1), this.#fold(second, depth + 1)];
      return of !== null && name !== null ? plain(`${of}.${name}`) : "?";
    }
    return path === "vars" ? `${this.pathOf(first, depth + 1) ?? "?"}.__dict__` : `${path}()`;
  }

  // A text that is put together from parts.
  #fold(node: SyntaxNode | undefined, depth: number): string | null {
    if (node === undefined || depth > depthMax) return null;
    if (node.name === "String") return stringValue(this.#text(node));
    if (node.name === "ParenthesizedExpression") return this.#fold(childrenOf(node)[1], depth + 1);
    if (node.name === "VariableName") return this.#fold(this.#texts.get(this.#text(node)), depth + 10);
    const children = childrenOf(node);
    if (node.name === "ContinuedString") return this.#joined(children, "", depth);
    if (node.name === "BinaryExpression" && this.#text(children[1]) === "+") {
      return this.#joined([children[0], children[2]], "", depth);
    }
    if (node.name === "MemberExpression" && /\[\s*:\s*:\s*-\s*1\s*\]$/.test(this.#text(node))) {
      return (
        this.#fold(children[0], depth + 1)
          ?.split("")
          .reverse()
          .join("") ?? null
      );
    }
    return node.name === "CallExpression" ? this.#foldCall(children, depth) : null;
  }

  #joined(parts: readonly (SyntaxNode | undefined)[], between: string, depth: number): string | null {
    const found = parts.map((part) => this.#fold(part, depth + 1));
    return found.every((part) => part !== null) ? found.join(between) : null;
  }

  #foldCall([callee, args]: readonly SyntaxNode[], depth: number): string | null {
    const [first] = argumentsOf(args);
    if (this.#text(callee) === "chr") {
      const code = this.#text(first);
      return /^\d{1,6}$/.test(code) ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : null;
    }
    if (this.pathOf(callee, depth + 1) === "base64.b64decode") {
      const encoded = this.#fold(first, depth + 1);
      return encoded === null ? null : Buffer.from(encoded, "base64").toString("latin1");
    }
    if (callee?.name !== "MemberExpression") return null;
    const [object, , method] = childrenOf(callee);
    if (this.#text(method) === "decode") return this.#fold(object, depth + 1);
    if (this.#text(method) !== "join" || first?.name !== "ArrayExpression") return null;
    const between = this.#fold(object, depth + 1);
    return between === null ? null : this.#joined(argumentsOf(first), between, depth);
  }
}

// What is between the brackets, without names and stars.
function argumentsOf(args: SyntaxNode | undefined): readonly (SyntaxNode | undefined)[] {
  return splitAtCommas(args === undefined ? [] : childrenOf(args).slice(1, -1)).map((part) => part[0]);
}

// Without letters that Python folds, and without line breaks.
const chain = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const plain = (path: string) => path.replace(/^(?:__builtins__|builtins)\./, "");

const withoutStatements = new Set([
  "AssignStatement",
  "ExpressionStatement",
  "ImportStatement",
  "ParamList",
  "ReturnStatement",
  "UpdateStatement",
]);

interface Collected {
  readonly aliases: Map<string, string>;
  readonly texts: Map<string, SyntaxNode>;
  readonly pathOf: (node: SyntaxNode) => string | null;
}

function collectAliases(tree: Tree, source: string, module: OfModule, into: Collected): void {
  const text = (node: SyntaxNode) => source.slice(node.from, node.to);
  const assigned: SyntaxNode[] = [];
  const cursor = tree.cursor();
  do {
    if (cursor.name === "ImportStatement") readImport(cursor.node, text, module, into.aliases);
    else if (cursor.name === "AssignStatement") assigned.push(cursor.node);
    // No statement is inside of these.
  } while (cursor.next(!withoutStatements.has(cursor.name)));
  for (const node of assigned) {
    const [target, mark, value, ...rest] = childrenOf(node);
    if (target?.name !== "VariableName" || mark?.name !== "AssignOp" || value === undefined || rest.length > 0)
      continue;
    if (/^(?:String|ContinuedString|BinaryExpression)$/.test(value.name)) into.texts.set(text(target), value);
    if (!/^(?:VariableName|MemberExpression|CallExpression)$/.test(value.name)) continue;
    const path = into.pathOf(value);
    if (path !== null && path !== text(target) && !path.startsWith("?") && !into.aliases.has(text(target)))
      into.aliases.set(text(target), path);
  }
}

function readImport(
  node: SyntaxNode,
  text: (node: SyntaxNode) => string,
  module: OfModule,
  aliases: Map<string, string>,
): void {
  const children = childrenOf(node);
  const at = children.findIndex(({ name }) => name === "import");
  const wanted = splitAtCommas(children.slice(at + 1).filter(({ name }) => name !== "(" && name !== ")"));
  const isFrom = children[0]?.name === "from";
  const from = isFrom ? absolute(children.slice(1, at).map(text).join(""), module) : "";
  for (const part of wanted) {
    const words = part.map(text);
    const as = words.indexOf("as");
    const path = words.slice(0, as < 0 ? undefined : as).join("");
    const alias = as < 0 ? undefined : words[as + 1];
    if (isFrom) aliases.set(alias ?? path, `${from}.${path}`);
    else aliases.set(alias ?? path.split(".")[0] ?? path, alias === undefined ? (path.split(".")[0] ?? path) : path);
  }
}

// Relative imports as `pack.…`.
function absolute(path: string, module: OfModule): string {
  const dots = /^\.*/.exec(path)?.[0].length ?? 0;
  if (dots === 0) return path;
  const parts = module.name === "" ? [] : module.name.split(".");
  const up = dots - (module.isPackage ? 1 : 0);
  const rest = path.slice(dots);
  return ["pack", ...parts.slice(0, Math.max(0, parts.length - up)), ...(rest === "" ? [] : rest.split("."))].join(".");
}
