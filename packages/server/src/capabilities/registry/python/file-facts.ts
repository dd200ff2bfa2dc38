// What one file mentions: uses of capabilities, functions of the pack that it calls, and what it defines. Names are resolved
// through imports, aliases and the usual disguises: `__import__("os").system`, `getattr(os, "sys" + "tem")`.
import type { CapabilityKind } from "./code-uses.ts";
import type { FunctionSpan } from "./function-bodies.ts";
import { NameResolver } from "./resolve-names.ts";
import { childrenOf, type ParsedFile, parseFunction, type SyntaxNode, type Tree, type TreeCursor } from "./syntax.ts";
import { kindsOf, sensitiveModules, writingMethods } from "./uses-table.ts";

export interface Mention {
  readonly kind: CapabilityKind;
  readonly name: string;
  readonly line: number;
  // The function it is in; empty at the top of the module, null if it runs only as a program.
  readonly within: string | null;
}

export interface Call {
  // `pack.module.name` or a plain name of this file; `.name` is a method of an object that is not known here.
  readonly path: string;
  readonly isCall: boolean;
}

export interface FileFacts {
  readonly file: string;
  readonly mentions: readonly Mention[];
  // What a function calls. Its body is parsed now, if it was left out of the tree.
  readonly callsIn: (within: string) => readonly Call[];
  // Functions by their full name in the file: `Loader.fetch`.
  readonly functions: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
}

// Without the tree, so that it is not kept.
interface Walk extends Pick<ParsedFile, "source" | "lineOf" | "unread"> {
  readonly names: NameResolver;
  readonly mentions: Mention[];
  // By the function that makes them, each once.
  readonly calls: Map<string, Map<string, Call>>;
  readonly functions: Set<string>;
  readonly classes: Set<string>;
  // Functions whose bodies were left out of the tree, by their full name.
  readonly later: Map<string, { readonly span: FunctionSpan; readonly around: Around }[]>;
}

export function factsOf(parsed: ParsedFile, module: { readonly name: string; readonly isPackage: boolean }): FileFacts {
  const { file, source, lineOf, unread } = parsed;
  const names = new NameResolver(source, module);
  const found = { mentions: [], calls: new Map(), functions: new Set<string>(), classes: new Set<string>() };
  const walk: Walk = { source, lineOf, unread, names, ...found, later: new Map() };
  walkTree(walk, parsed.tree, { within: "", prefix: "" });
  const callsIn = (within: string) => {
    const bodies = walk.later.get(within) ?? [];
    walk.later.delete(within);
    for (const { span, around } of bodies) walkTree({ ...walk, unread: none }, parseFunction(source, span), around);
    return [...(walk.calls.get(within)?.values() ?? [])];
  };
  return { ...found, file, callsIn };
}

const none: ReadonlyMap<number, FunctionSpan> = new Map();

function walkTree(walk: Walk, tree: Tree, outermost: Around): void {
  walk.names.readAliases(tree);
  // A cursor instead of recursion: trees may be deep, and most nodes need not be looked at.
  const cursor = tree.cursor();
  const levels: { readonly name: string; readonly around: Around }[] = [];
  let around = outermost;
  for (;;) {
    const { name } = cursor;
    const parent = levels.at(-1);
    const base = parent?.around ?? around;
    around = name === "Body" && parent !== undefined ? surroundingsOf(walk, cursor.node, base) : base;
    if (lookedAt.has(name) || (name === "VariableName" && isWorthALook(walk, cursor, parent?.name))) {
      if (!isPlainUse(walk, cursor, parent?.name, around.within)) look(walk, cursor.node, around.within);
    }
    if (cursor.firstChild()) {
      levels.push({ name, around });
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) {
        walk.names.dropTexts();
        return;
      }
      levels.pop();
    }
  }
}

const lookedAt = new Set(["CallExpression", "MemberExpression", "Decorator"]);

// Most names stand for nothing but themselves.
function isWorthALook({ source, names }: Walk, at: { from: number; to: number }, parent: string | undefined): boolean {
  return parent === "ArgList" || names.isKnown(source.slice(at.from, at.to));
}

const nameOf = ({ name }: TreeCursor): string => name;

// Most calls are of a plain chain of names that is no use of anything. They are noted without making nodes. False if this one
// must be looked at.
function isPlainUse(walk: Walk, cursor: TreeCursor, parent: string | undefined, within: string | null): boolean {
  const { names, source } = walk;
  if (cursor.name === "MemberExpression" && parent !== "ArgList") {
    const path = names.pathOfChain(source.slice(cursor.from, cursor.to));
    return path !== undefined && kindsOf(path).length === 0;
  }
  if (cursor.name !== "CallExpression" || !cursor.firstChild()) return false;
  const text = source.slice(cursor.from, cursor.to);
  // The cursor's name changes under the compiler's feet.
  const hasArguments = cursor.nextSibling() && nameOf(cursor) === "ArgList";
  cursor.parent();
  const path = hasArguments ? names.pathOfChain(text) : undefined;
  if (path === undefined || text === "getattr" || resolvedCalls.test(path)) return false;
  noteCall(walk, path, within, true);
  return true;
}

const resolvedCalls =
  /^\?|^(?:__import__|importlib\.import_module|getattr|vars)$|(?:^|\.)(?:open|ZipFile|load|load_all)$/;

interface Around {
  readonly within: string | null;
  readonly prefix: string;
}

function surroundingsOf(walk: Walk, child: SyntaxNode, around: Around): Around {
  const node = child.parent ?? child;
  const text = (one: SyntaxNode | null | undefined) => (one ? walk.source.slice(one.from, one.to) : "");
  if (node.name === "FunctionDefinition") {
    const name = `${around.prefix}${text(childrenOf(node).find((each) => each.name === "VariableName"))}`;
    walk.functions.add(name);
    const span = walk.unread.get(node.from);
    if (span !== undefined) walk.later.set(name, [...(walk.later.get(name) ?? []), { span, around }]);
    return { within: around.within === null ? null : name, prefix: `${name}.` };
  }
  if (node.name === "ClassDefinition") {
    const name = `${around.prefix}${text(childrenOf(node).find((each) => each.name === "VariableName"))}`;
    walk.classes.add(name);
    return { within: around.within, prefix: `${name}.` };
  }
  // Code that runs as a program or for the type checker only.
  const test = node.name === "IfStatement" ? text(child.prevSibling) : "";
  if (/^__name__\s*==|^(?:typing\.)?TYPE_CHECKING$/.test(test)) return { ...around, within: null };
  return around;
}

function look(walk: Walk, node: SyntaxNode, within: string | null): void {
  if (node.name === "CallExpression") {
    lookAtCall(walk, node, within);
    return;
  }
  if (node.name === "Decorator") {
    const path = walk.names.dotted(node);
    if (path !== null) noteCall(walk, path, within, true);
    return;
  }
  if (node.name !== "MemberExpression" && node.name !== "VariableName") return;
  const { parent } = node;
  if (parent === null || parent.name === "ImportStatement" || isPartOf(node, parent)) return;
  const path = walk.names.pathOf(node);
  if (path === null) return;
  mention(walk, path, node, within);
  if (parent.name === "ArgList") noteCall(walk, path, within, false);
}

// The longest chain counts: `os.environ.get`, not `os` and `os.environ` too. Names that are being defined do not count.
function isPartOf(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.name === "MemberExpression")
    return parent.firstChild?.from === node.from && parent.firstChild.to === node.to;
  if (/^(?:FunctionDefinition|ClassDefinition|ParamList|ScopeStatement|Decorator)$/.test(parent.name))
    return node.name === "VariableName";
  return parent.name === "ArgList" && node.nextSibling?.name === "AssignOp";
}

function mention(walk: Walk, path: string, node: SyntaxNode, within: string | null): void {
  // What a call gives is no new use.
  if (path.includes("(")) return;
  const name = path.replace(/\[.*$/, "");
  for (const kind of kindsOf(name)) add(walk, kind, name, node, within);
}

function add(walk: Walk, kind: CapabilityKind, name: string, node: SyntaxNode, within: string | null): void {
  walk.mentions.push({ kind, name: name.slice(0, 100), line: walk.lineOf(node.from), within });
}

function noteCall(walk: Walk, path: string, within: string | null, isCall: boolean): void {
  // What runs only as a program calls nothing at import.
  if (within === null) return;
  const calls = walk.calls.get(within) ?? new Map<string, Call>();
  walk.calls.set(within, calls);
  const key = isCall ? path : `=${path}`;
  if (!calls.has(key)) calls.set(key, { path, isCall });
}

function lookAtCall(walk: Walk, node: SyntaxNode, within: string | null): void {
  const [callee, args] = childrenOf(node);
  if (callee === undefined || args === undefined) return;
  const { names } = walk;
  const path = names.pathOf(callee);
  const text = walk.source.slice(args.from, args.to);
  const method = callee.name === "MemberExpression" ? names.lastName(callee) : null;
  if (path === null || path.startsWith("?")) {
    if (method !== null) noteCall(walk, `.${method}`, within, true);
    if (method !== null && writingMethods.has(method)) add(walk, "files", `.${method}`, node, within);
    if (method === "open" && writes(text, 0)) add(walk, "files", ".open", node, within);
    return;
  }
  noteCall(walk, path, within, true);
  if (/^(?:io\.|codecs\.|gzip\.|bz2\.|lzma\.|tarfile\.|zipfile\.)?(?:open|ZipFile)$/.test(path) && writes(text, 1))
    add(walk, "files", path, node, within);
  if (path === "torch.load" && !/weights_only\s*=\s*True/.test(text)) add(walk, "code", path, node, within);
  if (/^yaml\.load(?:_all)?$/.test(path) && !/Safe/.test(text)) add(walk, "code", path, node, within);
  if (path === "numpy.load" && /allow_pickle\s*=\s*True/.test(text)) add(walk, "code", path, node, within);
  const isComputed = names.computedMemberOf(node);
  if (isComputed !== null && sensitiveModules.has(isComputed))
    add(walk, "code", `getattr(${isComputed}, …)`, node, within);
  if (names.isComputedImport(node)) add(walk, "code", `${path}(…)`, node, within);
  // What the call gives may be one of those: `getattr(os, "system")`.
  const given = names.pathOf(node);
  if (given !== null && given !== `${path}()`) mention(walk, given, node, within);
}

// Whether a call of open() may write: its mode says so, or its mode is not known.
function writes(args: string, at: number): boolean {
  const named = /\bmode\s*=\s*([^,)]+)/.exec(args)?.[1];
  const positional =
    at === 1
      ? /^\(\s*(?:[^,()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+,\s*([^,)=]+)\s*[,)]/s.exec(args)?.[1]
      : /^\(\s*([^,)=]+)\s*[,)]/s.exec(args)?.[1];
  const mode = (named ?? positional)?.trim();
  if (mode === undefined || mode === "") return false;
  return /^[a-zA-Z]*["']/.test(mode) ? /["'][^"']*[wax+]/.test(mode) : true;
}
