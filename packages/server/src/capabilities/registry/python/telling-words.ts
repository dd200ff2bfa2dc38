// Which words tell that a text may use a capability, so that it has to be parsed. Too many only cost time; a missing one would hide
// a use. Words in comments and strings count as well.
import { isTopName, topNames, writingMethods } from "./uses-table.ts";

// What is found by more than the name of a library, what gives names to something, and Python 2.
const always = new Set([
  ...writingMethods,
  ..."import global globals sys builtins __builtins__ __import__ open ZipFile".split(" "),
  ..."__init_subclass__ __set_name__ __class_getitem__ __prepare__".split(" "),
]);

// Nearly every function uses these libraries, but only these members of them are uses of a capability.
const usesOf: ReadonlyMap<string, RegExp> = new Map([
  ["torch", /^(?:hub|save|load|utils|ops|classes|__\w*)$/],
  ["torchaudio", /^(?:save|__\w*)$/],
  ["torchvision", /^(?:utils|__\w*)$/],
  ["numpy", /^(?:save\w*|load|memmap|ctypeslib|__\w*)$/],
  ["os", /^(?!path$)/],
]);

export class TellingWords {
  readonly #text: string;
  // Names that the file gives to something else: the library, if it is one of those above, or "" if the name alone tells.
  readonly #given = new Map<string, string>();
  // First letters and lengths of all of them, by which most words are dismissed.
  readonly #shapes = Uint8Array.from(shapes);
  #isAnyTelling = false;

  constructor(text: string) {
    this.#text = text;
    this.#isAnyTelling = foreignTarget.test(text);
    this.#readImports();
    this.#readAssignments();
  }

  isIn(from: number, to: number): boolean {
    if (this.#isAnyTelling) return true;
    const text = this.#text;
    for (let at = from; at < to; at++) {
      if (!isWordPart(text.charCodeAt(at))) continue;
      const start = at;
      while (at < to && isWordPart(text.charCodeAt(at))) at++;
      if (this.#shapes[shapeOf(text.charCodeAt(start), at - start)] === 1 && this.#tells(start, at)) return true;
    }
    return false;
  }

  #tells(from: number, to: number): boolean {
    const word = this.#text.slice(from, to);
    if (always.has(word)) return true;
    if (word === "print") return this.#text.charCodeAt(to) !== openBracket;
    const library = this.#given.get(word) ?? (isTopName(word) ? word : undefined);
    // A member of something else.
    if (library === undefined || this.#text.charCodeAt(from - 1) === dot) return false;
    const uses = usesOf.get(library);
    memberAfter.lastIndex = to;
    const member = uses === undefined ? undefined : memberAfter.exec(this.#text)?.[1];
    return member === undefined || uses?.test(member) !== false;
  }

  #give(name: string, path: string): void {
    const [top = "", member] = path.split(".");
    const uses = usesOf.get(top);
    if (uses !== undefined && (member === undefined || uses.test(member)))
      this.#set(name, member === undefined ? top : "");
    else if (uses === undefined && (isTopName(top) || always.has(top) || always.has(path.split(".").at(-1) ?? "")))
      this.#set(name, "");
  }

  #set(name: string, library: string): void {
    this.#given.set(name, library);
    this.#shapes[shapeOf(name.charCodeAt(0), name.length)] = 1;
  }

  #readImports(): void {
    const text = this.#text;
    for (const { index } of text.matchAll(/\bimport\b/g)) {
      const before = text.slice(Math.max(0, index - farthest), index).replaceAll("\\\n", " ");
      const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf(";"));
      const head = before.slice(start + 1).trim();
      const from = head.startsWith("from") ? head.slice("from".length).replace(/\s/g, "") : "";
      const names = listedAfter(text, index + "import".length);
      if (names === null || foreign.test(names) || (start < 0 && index > farthest)) {
        this.#isAnyTelling = true;
        return;
      }
      for (const each of names.split(",")) {
        const [, name, alias] = importedName.exec(each) ?? [];
        if (name !== undefined) this.#give(alias ?? name, from === "" ? name : `${from}.${name}`);
      }
    }
  }

  // `run = subprocess.run`. What a call gives is no library, except for those that look names up.
  #readAssignments(): void {
    const text = this.#text;
    for (const match of text.matchAll(assignment)) {
      const [whole, name = "", value = "", members = "", bracket] = match;
      const from = match.index + whole.length - (bracket?.length ?? 0) - members.length - value.length;
      const isLookup = value === "getattr" || value === "vars";
      const isPlainCall = bracket !== undefined && isTopName(value) && value !== "importlib";
      const to = isLookup ? endOf(text, "\n", from) : from + value.length;
      if (!isPlainCall && this.#given.get(name) !== "" && this.isIn(from, to)) this.#set(name, "");
    }
  }
}

const [dot, openBracket] = [46, 40];

const shapeOf = (first: number, length: number) => (first & 127) * 32 + Math.min(length, 31);
const shapes = new Uint8Array(128 * 32);
for (const word of [...always, ...topNames, "print"]) shapes[shapeOf(word.charCodeAt(0), word.length)] = 1;
const farthest = 400;
const longestList = 20_000;
const importedList = /(?:[ \t]|\\\n)*(?:\(([\s\S]{0,20000})|((?:[^\n;\\]|\\\n){0,20000}))/y;

// Words are looked for in ASCII, so a file that gives other names is parsed whole.
const foreign = /[^\0-\x7f]/;
const foreignTarget = /(?:^|[;:\n])[ \t]*\w{0,60}[^\0-\x7f\s][^\s=]{0,60}[ \t]*=(?!=)/;

const importedName = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/;
const assignment = /(?:^|[;:\n])[ \t]*([A-Za-z_]\w*)[ \t]*=(?!=)[(\s\\]*([A-Za-z_]\w*)((?:\s*\.\s*\w+)*)(\s*\()?/g;
const memberAfter = /\s*\.\s*(\w+)/y;

// What an import lists: to the closing bracket or the end of the line. Null if that is too far away.
function listedAfter(text: string, from: number): string | null {
  importedList.lastIndex = from;
  const [, many, one = ""] = importedList.exec(text) ?? [];
  if (many === undefined) return one.length < longestList ? one.replaceAll("\\\n", " ") : null;
  const list = many.replace(/#.*/g, "");
  const end = list.indexOf(")");
  return end < 0 && list.length === longestList ? null : list.slice(0, end < 0 ? undefined : end);
}

function isWordPart(code: number): boolean {
  return (code > 96 && code < 123) || (code > 64 && code < 91) || (code > 47 && code < 58) || code === 95;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}
