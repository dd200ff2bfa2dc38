// JavaScript and TypeScript as the rules see them: which bytes are strings, patterns and comments, and which spans run
// when the module is loaded. Code inside `${…}` stays visible, and escapes in names are decoded.

import { buildView, type SourceView } from "./source-view.ts";

interface Bracket {
  readonly open: string;
  // What may follow the closing bracket: a pattern after `if (…)` or a block, a division after a call or a value.
  readonly patternAfter: boolean;
  readonly isTemplate: boolean;
}

const wordsBeforePattern = new Set(
  "return typeof case in of delete void throw new else do instanceof yield await".split(" "),
);
const wordsBeforeCondition = new Set(["if", "while", "for", "with"]);

export function viewJavaScript(source: string): SourceView {
  const text = writeOutNames(source.replace(/\r\n?|[\u2028\u2029]/g, "\n"));
  return buildView(text, new Lexer(text).run());
}

class Lexer {
  readonly #text: string;
  readonly #strings: [number, number][] = [];
  readonly #comments: [number, number][] = [];
  readonly #brackets: Bracket[] = [];
  #at = 0;
  // The last token that was neither space nor comment: a word, a sign, or "value" for a string or pattern.
  #before = "";

  constructor(text: string) {
    this.#text = text;
  }

  run() {
    if (this.#text.startsWith("#!")) this.#comment(this.#lineEnd());
    while (this.#at < this.#text.length) this.#step();
    return { strings: this.#strings, comments: this.#comments };
  }

  #step(): void {
    const text = this.#text;
    const character = text.charAt(this.#at);
    if (character === "/" && text.charAt(this.#at + 1) === "/") this.#comment(this.#lineEnd());
    else if (character === "/" && text.charAt(this.#at + 1) === "*") this.#comment(this.#after("*/"));
    else if (character === '"' || character === "'") this.#string(character);
    else if (character === "`") this.#template(this.#at + 1);
    else if (character === "/" && this.#mayBePattern()) this.#pattern();
    else if ("([{".includes(character)) this.#open(character);
    else if (")]}".includes(character)) this.#close(character);
    else if (wordCharacter.test(character)) this.#word();
    else {
      this.#at++;
      if (!/\s/.test(character)) this.#before = this.#isDoubled(character) ? "value" : character;
    }
  }

  // In x++ / y the slash is a division.
  #isDoubled(sign: string): boolean {
    return (sign === "+" || sign === "-") && this.#before === sign && this.#text.charAt(this.#at - 2) === sign;
  }

  #comment(end: number): void {
    this.#comments.push([this.#at, end]);
    this.#at = end;
  }

  #string(quote: string): void {
    const start = this.#at + 1;
    let at = start;
    while (at < this.#text.length && this.#text.charAt(at) !== quote && this.#text.charAt(at) !== "\n") {
      at += this.#text.charAt(at) === "\\" ? 2 : 1;
    }
    this.#endLiteral(start, Math.min(at, this.#text.length), 1);
  }

  #template(start: number): void {
    let at = start;
    while (at < this.#text.length && this.#text.charAt(at) !== "`") {
      if (this.#text.startsWith("${", at)) {
        this.#mark(start, at);
        this.#brackets.push({ open: "{", patternAfter: false, isTemplate: true });
        this.#at = at + 2;
        this.#before = "{";
        return;
      }
      at += this.#text.charAt(at) === "\\" ? 2 : 1;
    }
    this.#endLiteral(start, Math.min(at, this.#text.length), 1);
  }

  #pattern(): void {
    const start = this.#at + 1;
    let [at, isInClass] = [start, false];
    for (; at < this.#text.length && this.#text.charAt(at) !== "\n"; at++) {
      const character = this.#text.charAt(at);
      if (character === "\\") at++;
      else if (character === "[") isInClass = true;
      else if (character === "]") isInClass = false;
      else if (character === "/" && !isInClass) break;
    }
    this.#endLiteral(start, Math.min(at, this.#text.length), 1);
  }

  #endLiteral(start: number, end: number, closing: number): void {
    this.#mark(start, end);
    this.#at = Math.min(end + closing, this.#text.length);
    this.#before = "value";
  }

  #mark(start: number, end: number): void {
    if (end > start) this.#strings.push([start, end]);
  }

  #open(open: string): void {
    const patternAfter =
      open === "(" ? wordsBeforeCondition.has(this.#before) : open === "{" && !isValuePosition(this.#before);
    this.#brackets.push({ open, patternAfter, isTemplate: false });
    this.#before = open;
    this.#at++;
  }

  #close(close: string): void {
    const bracket = this.#brackets.pop();
    this.#at++;
    if (close === "}" && bracket?.isTemplate) this.#template(this.#at);
    else if (bracket?.patternAfter) this.#before = ";";
    else this.#before = close === ")" ? ")" : "value";
  }

  #word(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && wordCharacter.test(this.#text.charAt(this.#at))) this.#at++;
    const word = this.#text.slice(start, this.#at);
    // In obj.return the word is a property name.
    this.#before = this.#before === "." ? "value" : word;
  }

  #mayBePattern(): boolean {
    const before = this.#before;
    if (before === "" || wordsBeforePattern.has(before)) return true;
    return before !== "value" && before !== ")" && !wordCharacter.test(before.charAt(0));
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }

  #after(sign: string): number {
    const end = this.#text.indexOf(sign, this.#at + 2);
    return end < 0 ? this.#text.length : end + sign.length;
  }
}

const wordCharacter = /[\w$\u0080-\uffff]/;

// Positions where a brace begins an object literal, not a block.
function isValuePosition(before: string): boolean {
  return /^[=(,[?&|+\-*%~^!<:]$/.test(before) || ["return", "typeof", "case", "in", "of", "throw"].includes(before);
}

// \u0065val is eval. Decoding inside strings and comments changes nothing that a rule could see.
function writeOutNames(text: string): string {
  return text.replace(/\\u(?:00([2-7][0-9a-fA-F])|\{0{0,4}([2-7][0-9a-fA-F])\})/g, (whole, short, braced) => {
    const character = String.fromCharCode(Number.parseInt(short ?? braced, 16));
    return /[\w$]/.test(character) ? character : whole;
  });
}

// Spans, as [start, end), that do not run when the module is loaded: function bodies, unless called on the spot.
export function functionBodies(code: string): readonly (readonly [number, number])[] {
  const bodies: [number, number][] = [];
  const open: { readonly at: number; readonly isBody: boolean; readonly before: string }[] = [];
  let before = "";
  let closedCall = false;
  let expressionEnd = 0;
  for (const { 0: token, index } of code.matchAll(/=>|[\w$]+|[^\s\w$]/g)) {
    if (token === "(" || token === "[" || token === "{") {
      open.push({ at: index, isBody: token === "{" && (before === "=>" || closedCall), before });
    } else if (token === ")" || token === "]" || token === "}") {
      const begun = open.pop();
      if (begun?.isBody && token === "}" && !calledOnTheSpot.test(code.slice(index + 1, index + 100)))
        bodies.push([begun.at, index + 1]);
      closedCall = token === ")" && begun !== undefined && isNamed(begun.before);
      before = token;
      continue;
    }
    if (before === "=>" && token !== "{" && index >= expressionEnd) {
      expressionEnd = endOfExpression(code, index);
      bodies.push([index, expressionEnd]);
    }
    closedCall = false;
    before = token;
  }
  return bodies;
}

const calledOnTheSpot = /^\s*(?:\)\s*)?(?:\.\s*(?:call|apply)\s*)?\(/;
const conditions = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);

// `name(…) {` is a function or a method; `if (…) {` is not.
function isNamed(before: string): boolean {
  return /^[\w$]+$|^\]$|^\*$/.test(before) && !conditions.has(before);
}

function endOfExpression(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const character = code.charAt(at);
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character) && --depth < 0) return at;
    else if (depth === 0 && (character === ";" || character === "," || character === "\n")) return at;
  }
  return code.length;
}
