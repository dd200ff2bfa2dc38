// Reads a request's members as a vendor does: unknown ones are ignored, absent ones get their default, and every wrong one is
// named.
import { isMembers, type Members, readJson } from "../models/exact-json.ts";

export interface Problem {
  readonly field: string;
  readonly reason: string;
}

// The text and its members, or null if it is not a JSON object in UTF-8.
export function parsedBody(body: Uint8Array): { readonly text: string; readonly members: Members } | null {
  const read = readJson(body);
  return read && isMembers(read.value) ? { text: read.text, members: read.value } : null;
}

export class Fields {
  readonly problems: Problem[];
  readonly #members: Members;
  readonly #prefix: string;

  constructor(members: Members, problems: Problem[] = [], prefix = "") {
    this.#members = members;
    this.problems = problems;
    this.#prefix = prefix;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  wrong(name: string, reason: string): void {
    this.problems.push({ field: this.#prefix + name, reason });
  }

  text(name: string, charactersMax: number): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value !== "string") this.wrong(name, "must be a string");
    else if (value.length > charactersMax) this.wrong(name, `has more than ${charactersMax} characters`);
    else return value;
    return null;
  }

  number(name: string, least: number, most: number, usual: number): number {
    const value = this.#value(name);
    if (value === undefined) return usual;
    if (typeof value === "number" && value >= least && value <= most) return value;
    this.wrong(name, `must be a number from ${least} to ${most}`);
    return usual;
  }

  integer(name: string, least: number, most: number, usual: number): number {
    const value = this.number(name, least, most, usual);
    if (!Number.isInteger(value)) this.wrong(name, "must be an integer");
    return value;
  }

  flag(name: string, usual: boolean): boolean {
    const value = this.#value(name);
    if (value === undefined || typeof value === "boolean") return value ?? usual;
    this.wrong(name, "must be true or false");
    return usual;
  }

  word<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const value = this.#value(name);
    const known = words.find((word) => word === value);
    if (value !== undefined && known === undefined) this.wrong(name, `must be one of ${words.join(", ")}`);
    return known ?? words[0];
  }

  inside(name: string): Fields {
    const value = this.#value(name);
    if (value !== undefined && !isMembers(value)) this.wrong(name, "must be an object");
    return new Fields(isMembers(value) ? value : {}, this.problems, `${this.#prefix}${name}.`);
  }

  entries(): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#members);
  }

  #value(name: string): unknown {
    return this.has(name) ? this.#members[name] : undefined;
  }
}
