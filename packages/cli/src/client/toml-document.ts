// Reads the TOML that manifests are written in: tables, dotted keys, strings of all four kinds, numbers, booleans, arrays
// and inline tables. Strict: what is wrong is refused with its line, because whoever publishes wants to mend it now.
export type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;
export interface TomlTable {
  readonly [key: string]: TomlValue | undefined;
}
interface OpenTable {
  [key: string]: TomlValue | undefined;
}

export class TomlProblem extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.name = "TomlProblem";
    this.line = line;
  }
}

const depthMax = 32;

export const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isOpen = (value: unknown): value is OpenTable => isTable(value);

export function readToml(text: string): TomlTable {
  const reader = new Reader(text.replace(/^\u{feff}/u, "").replace(/\r\n/g, "\n"));
  return reader.document();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): TomlTable {
    const root: OpenTable = Object.create(null);
    let table = root;
    for (;;) {
      this.#skip(/(?:\s|#[^\n]*)*/y);
      if (this.#at >= this.#text.length) return root;
      if (this.#take("[[")) table = this.#listTable(root);
      else if (this.#take("[")) table = this.#table(root);
      else this.#pair(table);
      this.#skip(/[ \t]*(?:#[^\n]*)?/y);
      if (this.#at < this.#text.length && !this.#take("\n"))
        throw this.#wrong("There is more on this line than one entry.");
    }
  }

  #table(root: OpenTable): OpenTable {
    const keys = this.#keys();
    if (!this.#take("]")) throw this.#wrong("A table's name ends with ].");
    return this.#reach(root, keys);
  }

  #listTable(root: OpenTable): OpenTable {
    const keys = this.#keys();
    if (!this.#take("]]")) throw this.#wrong("The name of a list of tables ends with ]].");
    const parent = this.#reach(root, keys.slice(0, -1));
    const last = keys.at(-1) ?? "";
    const item: OpenTable = Object.create(null);
    const known = parent[last];
    parent[last] = [...(Array.isArray(known) ? known : []), item];
    return item;
  }

  #pair(table: OpenTable): void {
    const keys = this.#keys();
    if (!this.#take("=")) throw this.#wrong("A key is followed by =.");
    const target = this.#reach(table, keys.slice(0, -1));
    const last = keys.at(-1) ?? "";
    if (target[last] !== undefined) throw this.#wrong(`${last} stands here twice.`);
    target[last] = this.#value(0);
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#skip(/[ \t]*/y);
      const key = this.#match(/[A-Za-z0-9_-]+/y) ?? this.#lineString();
      if (key === undefined) throw this.#wrong("There is no key here.");
      if (keys.push(key) > depthMax) throw this.#wrong("This is nested too deep.");
      this.#skip(/[ \t]*/y);
    } while (this.#take("."));
    return keys;
  }

  #reach(table: OpenTable, keys: readonly string[]): OpenTable {
    let at = table;
    for (const key of keys) {
      const known = at[key];
      const inner = Array.isArray(known) ? known.at(-1) : known;
      if (inner !== undefined && !isOpen(inner)) throw this.#wrong(`${key} is no table.`);
      const next: OpenTable = inner ?? Object.create(null);
      if (inner === undefined) at[key] = next;
      at = next;
    }
    return at;
  }

  #value(depth: number): TomlValue {
    if (depth > depthMax) throw this.#wrong("This is nested too deep.");
    this.#skip(/[ \t]*/y);
    const text = this.#longString() ?? this.#lineString();
    if (text !== undefined) return text;
    if (this.#take("[")) return this.#array(depth);
    if (this.#take("{")) return this.#inline(depth);
    const word = this.#match(/[A-Za-z0-9_+.:-]+/y);
    if (word === "true" || word === "false") return word === "true";
    const number = Number(word?.replaceAll("_", ""));
    if (word === undefined) throw this.#wrong("There is no value here.");
    // A date or a time: nobody asks for one, and its text says it all.
    return Number.isNaN(number) ? word : number;
  }

  #array(depth: number): readonly TomlValue[] {
    const items: TomlValue[] = [];
    const skip = () => this.#skip(/(?:\s|#[^\n]*)*/y);
    for (;;) {
      skip();
      if (this.#take("]")) return items;
      items.push(this.#value(depth + 1));
      skip();
      if (!this.#take(",") && this.#text[this.#at] !== "]")
        throw this.#wrong("A list goes on with a comma or ends with ].");
    }
  }

  #inline(depth: number): TomlTable {
    const table: OpenTable = Object.create(null);
    const skip = () => this.#skip(/(?:\s|#[^\n]*)*/y);
    for (;;) {
      skip();
      if (this.#take("}")) return table;
      const keys = this.#keys();
      if (!this.#take("=")) throw this.#wrong("A key is followed by =.");
      this.#reach(table, keys.slice(0, -1))[keys.at(-1) ?? ""] = this.#value(depth + 1);
      skip();
      if (!this.#take(",") && this.#text[this.#at] !== "}")
        throw this.#wrong("A table goes on with a comma or ends with }.");
    }
  }

  #lineString(): string | undefined {
    const literal = this.#match(/'[^'\n]*'/y);
    if (literal !== undefined) return literal.slice(1, -1);
    const basic = this.#match(/"(?:[^"\\\n]|\\[^\n])*"/y);
    return basic === undefined ? undefined : unescaped(basic.slice(1, -1));
  }

  #longString(): string | undefined {
    const literal = this.#match(/'''\n?[\s\S]*?'''(?!')/y);
    if (literal !== undefined) return literal.slice(3, -3).replace(/^\n/, "");
    const basic = this.#match(/"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""/y);
    return basic === undefined ? undefined : unescaped(basic.slice(3, -3).replace(/^\n/, ""));
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skip(pattern: RegExp): void {
    this.#match(pattern);
  }

  #wrong(message: string): TomlProblem {
    return new TomlProblem(message, this.#text.slice(0, this.#at).split("\n").length);
  }
}

const escapes: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\s*\n\s*)|([\s\S]))/g, (_, short, long, fold, one) => {
    if (fold !== undefined) return "";
    if (one !== undefined) return escapes[one] ?? one;
    const point = Number.parseInt(short ?? long, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\u{fffd}";
  });
}
