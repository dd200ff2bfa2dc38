// A Python file as a syntax tree, and the few ways in which it is walked. The parser never fails: what it cannot read
// becomes an error node, and the rest of the file stays readable. It uses no recursion over the text, so deep nesting
// ends in a deep tree and nothing else.
//
// Parsing is nearly all of the work, and most of a file is inside of functions that use no capability and are never called. They
// are in the tree by their names only, and parsed when they are called.
import { parser } from "@lezer/python";
import { type FunctionSpan, functionSpans } from "./function-bodies.ts";
import { foldLetters, lineFinder } from "./source-text.ts";
import { TellingWords } from "./telling-words.ts";

export type Tree = ReturnType<typeof parser.parse>;
export type SyntaxNode = Tree["topNode"];
export type TreeCursor = ReturnType<Tree["cursor"]>;

export interface ParsedFile {
  readonly file: string;
  readonly source: string;
  readonly tree: Tree;
  readonly lineOf: (at: number) => number;
  // Functions that are in the tree by their names only, by where they begin.
  readonly unread: ReadonlyMap<number, FunctionSpan>;
}

export function parsePython(file: string, text: string): ParsedFile {
  const source = normalized(text);
  const lineOf = lineFinder(source);
  const spans = functionSpans(source).filter(({ body, to }) => to - body >= worthIt);
  const words = spans.length === 0 ? null : new TellingWords(source);
  const unread = spans.filter(({ body, to }) => words?.isIn(body, to) === false);
  const isLeftOut = (from: number, to: number) =>
    words?.isIn(from, to) === false && !source.slice(from, to).includes("(");
  const tree = parseWithout(
    source,
    // Defaults that are calls run where the function is defined.
    unread.map(({ params, colon, body, to }) =>
      params !== null && isLeftOut(params, colon)
        ? { from: params, to, text: "):pass" }
        : { from: body, to, text: "pass" },
    ),
  );
  return { file, source, tree, lineOf, unread: new Map(unread.map((span) => [span.from, span])) };
}

// With all bodies.
export function parseWhole(file: string, text: string): ParsedFile {
  const source = normalized(text);
  return { file, source, tree: parser.parse(source), lineOf: lineFinder(source), unread: new Map() };
}

// One function, at its place in the file.
export function parseFunction(source: string, { from, to }: FunctionSpan): Tree {
  if (from < 2) return parser.parse(source, [], [{ from: 0, to }]);
  return parser.parse(
    ` ${source.slice(1)}`,
    [],
    [
      { from: 0, to: 1 },
      { from, to },
    ],
  );
}

const normalized = (text: string) => foldLetters(text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"));

// Shorter bodies are parsed sooner than left out.
const worthIt = 60;

interface Gap {
  readonly from: number;
  readonly to: number;
  // What is read in its place.
  readonly text: string;
}

// Every offset stays: the parser jumps over the rest of a gap.
function parseWithout(source: string, gaps: readonly Gap[]): Tree {
  const parts: string[] = [];
  const ranges: { from: number; to: number }[] = [];
  let at = 0;
  for (const { from, to, text } of gaps) {
    parts.push(source.slice(at, from), text.padEnd(to - from));
    ranges.push({ from: at, to: from + text.length });
    at = to;
  }
  if (at < source.length || ranges.length === 0) ranges.push({ from: at, to: source.length });
  return parser.parse(parts.join("") + source.slice(at), [], ranges);
}

export interface SyntaxProblem {
  readonly line: number;
  readonly isPython2: boolean;
}

// The parser takes `1.` for an attribute of 1, and wants a value after `yield`.
function isHarmless({ parent }: SyntaxNode): boolean {
  return parent?.firstChild?.name === "Number" || /^Yield/.test(parent?.name ?? "");
}

// The first line that cannot be parsed, or null.
export function syntaxError({ tree, lineOf }: Pick<ParsedFile, "tree" | "lineOf">): SyntaxProblem | null {
  let first: number | null = null;
  const cursor = tree.cursor();
  do {
    if (cursor.name === "PrintStatement") return { line: lineOf(cursor.from), isPython2: true };
    if (cursor.type.isError && first === null && !isHarmless(cursor.node)) first = lineOf(cursor.from);
  } while (cursor.next());
  return first === null ? null : { line: first, isPython2: false };
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "Comment" && !child.type.isError) children.push(child);
  }
  return children;
}

// Children between commas; brackets and the commas themselves are left out.
export function partsOf(node: SyntaxNode): SyntaxNode[][] {
  return splitAtCommas(childrenOf(node).filter(({ name }) => !brackets.has(name)));
}

export function splitAtCommas(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [];
  let part: SyntaxNode[] = [];
  for (const node of nodes) {
    if (node.name !== ",") part.push(node);
    else if (part.length > 0) {
      parts.push(part);
      part = [];
    }
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

const brackets = new Set(["(", ")", "[", "]", "{", "}"]);

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

// The inside of a string literal with its escapes resolved. Byte strings are read as text.
export function stringValue(literal: string): string {
  const [, prefix = "", quote = ""] = /^([A-Za-z]*)('''|"""|'|")/.exec(literal) ?? [];
  const from = prefix.length + quote.length;
  const inside = literal.slice(
    from,
    literal.endsWith(quote) && literal.length >= from + quote.length ? -quote.length : undefined,
  );
  return /r/i.test(prefix) ? inside : unescapeText(inside);
}

export function unescapeText(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g, (whole, rest: string) => {
    if (rest === "\n") return "";
    const code = /^[xuU](?=.)/.test(rest) ? Number.parseInt(rest.slice(1), 16) : Number.NaN;
    if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    return escapes[rest] ?? (/[\\'"]/.test(rest) ? rest : whole);
  });
}

export function numberValue(literal: string): number | bigint | null {
  const text = literal.replaceAll("_", "").toLowerCase();
  if (/j$/.test(text)) return null;
  if (/^0[xob]|^\d+$/.test(text)) {
    if (text.length > 400) return null;
    const whole = BigInt(/^0\d/.test(text) ? text.replace(/^0+(?=\d)/, "") : text);
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  const value = Number(text);
  return Number.isNaN(value) ? null : value;
}
