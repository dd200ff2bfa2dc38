// Reads the part of TOML that manifests use: tables, dotted keys, strings of all four kinds, arrays and inline tables.
// It is tolerant: what it does not understand is skipped to the end of the line, since only a few keys are wanted and a
// newer syntax elsewhere must not hide them. Linear in the text; depth is bounded.
export type TomlValue = string | boolean | number | readonly TomlValue[] | TomlTable;
export interface TomlTable {
  readonly [key: string]: TomlValue;
}

interface MutableTable {
  [key: string]: TomlValue;
}

const depthMax = 16;

export function readToml(text: string): TomlTable {
  return new Reader(text.replace(/^\u{feff}/u, "").replace(/\r\n?/g, "\n")).document();
}

export function tableAt(table: TomlTable, name: string): TomlTable {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  return isTable(value) ? value : {};
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}

function isOpenTable(value: TomlValue | undefined): value is MutableTable {
  return isTable(value);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): TomlTable {
    const root: MutableTable = emptyTable();
    let table = root;
    while (this.#at < this.#text.length) {
      this.#skip(/[\s]+|#[^\n]*/y);
      const start = this.#at;
      if (this.#peek("[")) table = this.#header(root);
      else if (this.#at < this.#text.length) this.#pair(table);
      this.#skip(/[ \t]+|#[^\n]*/y);
      // Whatever is left on the line was not understood.
      if (this.#at < this.#text.length && !this.#peek("\n")) this.#skipLine();
      if (this.#at === start) this.#at++;
    }
    return root;
  }

  #header(root: MutableTable): MutableTable {
    const isList = this.#text.startsWith("[[", this.#at);
    this.#at += isList ? 2 : 1;
    const keys = this.#keys();
    this.#take(isList ? "]]" : "]");
    // Of a list of tables only the last is kept: no key that is wanted stands in one.
    return keys === null ? emptyTable() : reach(root, keys);
  }

  #pair(table: MutableTable): void {
    const keys = this.#keys();
    const value = keys !== null && this.#take("=") ? this.#value(0) : undefined;
    const last = keys?.at(-1);
    if (value !== undefined && last !== undefined) put(reach(table, keys?.slice(0, -1) ?? []), last, value);
  }

  #keys(): string[] | null {
    const keys: string[] = [];
    do {
      this.#skip(/[ \t]+/y);
      const bare = this.#match(/[A-Za-z0-9_-]+/y);
      const key = bare ?? this.#string();
      if (key === undefined || keys.length >= depthMax) return null;
      keys.push(key);
      this.#skip(/[ \t]+/y);
    } while (this.#take("."));
    return keys;
  }

  #value(depth: number): TomlValue | undefined {
    this.#skip(/[ \t]+/y);
    if (depth > depthMax) return undefined;
    const text = this.#string();
    if (text !== undefined) return text;
    if (this.#take("[")) return this.#array(depth);
    if (this.#take("{")) return this.#inlineTable(depth);
    const word = this.#match(/[^\s,\]}#]+/y);
    if (word === "true" || word === "false") return word === "true";
    return word === undefined ? undefined : readNumber(word);
  }

  #array(depth: number): readonly TomlValue[] {
    const items: TomlValue[] = [];
    for (;;) {
      this.#skip(/[\s,]+|#[^\n]*/y);
      if (this.#take("]") || this.#at >= this.#text.length) return items;
      const start = this.#at;
      const item = this.#value(depth + 1);
      if (item !== undefined) items.push(item);
      if (this.#at === start) this.#at++;
    }
  }

  #inlineTable(depth: number): TomlTable {
    const table: MutableTable = emptyTable();
    for (;;) {
      this.#skip(/[\s,]+|#[^\n]*/y);
      if (this.#take("}") || this.#at >= this.#text.length) return table;
      const start = this.#at;
      const keys = this.#keys();
      this.#skip(/[ \t]+/y);
      const value = keys !== null && this.#take("=") ? this.#value(depth + 1) : undefined;
      const last = keys?.at(-1);
      if (value !== undefined && last !== undefined) put(reach(table, keys?.slice(0, -1) ?? []), last, value);
      if (this.#at === start) this.#at++;
    }
  }

  #string(): string | undefined {
    for (const quote of ['"""', "'''"]) {
      if (!this.#text.startsWith(quote, this.#at)) continue;
      const start = this.#at + 3;
      const end = this.#closing(quote, start, quote === '"""');
      this.#at = Math.min(end + 3, this.#text.length);
      const content = this.#text.slice(start, end).replace(/^\n/, "");
      return quote === '"""' ? unescaped(content) : content;
    }
    const literal = this.#match(/'[^'\n]*'/y);
    if (literal !== undefined) return literal.slice(1, -1);
    const basic = this.#match(/"(?:[^"\\\n]|\\[^\n])*"/y);
    return basic === undefined ? undefined : unescaped(basic.slice(1, -1));
  }

  #closing(quote: string, from: number, hasEscapes: boolean): number {
    for (let at = from; at < this.#text.length; at++) {
      if (hasEscapes && this.#text.charAt(at) === "\\") at++;
      else if (this.#text.startsWith(quote, at)) return at;
    }
    return this.#text.length;
  }

  #peek(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
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
    while (this.#match(pattern) !== undefined);
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }
}

// Without a prototype: a manifest may call its keys as it likes.
function emptyTable(): MutableTable {
  return Object.create(null);
}

function put(table: MutableTable, key: string, value: TomlValue): void {
  table[key] = value;
}

function reach(table: MutableTable, keys: readonly string[]): MutableTable {
  let at = table;
  for (const key of keys) {
    const known = at[key];
    const next = isOpenTable(known) ? known : emptyTable();
    at[key] = next;
    at = next;
  }
  return at;
}

function readNumber(word: string): TomlValue {
  const value = Number(word.replaceAll("_", ""));
  return Number.isNaN(value) ? word : value;
}

const escapes: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\s*\n\s*)|(.))/g, (_, short, long, fold, one) => {
    if (fold !== undefined) return "";
    if (one !== undefined) return escapes[one] ?? one;
    const point = Number.parseInt(short ?? long, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\u{fffd}";
  });
}
