// A Python file as a syntax tree, and the few ways in which it is walked. The parser never fails: what it cannot read
// becomes an error node, and the rest of the file stays readable. It uses no recursion over the text, so deep nesting
// ends in a deep tree and nothing else.
import { parser } from "@lezer/python";
import { foldLetters, lineFinder } from "./source-text.ts";

export type Tree = ReturnType<typeof parser.parse>;
export type SyntaxNode = Tree["topNode"];
export type TreeCursor = ReturnType<Tree["cursor"]>;

export interface ParsedFile {
  readonly file: string;
  readonly source: string;
  readonly tree: Tree;
  readonly lineOf: (at: number) => number;
}

export function parsePython(file: string, text: string): ParsedFile {
  const source = foldLetters(text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"));
  return { file, source, tree: parser.parse(source), lineOf: lineFinder(source) };
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
export function syntaxError({ tree, lineOf }: ParsedFile): SyntaxProblem | null {
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
