// Typed settings, read from flags, then the environment, then atelier.config.json, then defaults (architecture, "Settings").
// Reading has no side effects and reports all problems together, so an operator fixes a file once and not line by line.
import { inspect } from "node:util";

export interface Setting<T> {
  readonly env: string;
  readonly about: string;
  readonly defaultText: string | null;
  // Shown as *** by `atelier config` and never logged.
  readonly secret: boolean;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  // Returns the value, or a sentence that says what is wrong and what would be right.
  parse(text: string): { value: T } | { problem: string };
}

// A value that does not print itself.
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return "***";
  }
  toJSON(): string {
    return "***";
  }
  [inspect.custom](): string {
    return "***";
  }
}

// Wrong usage or an invalid setting: exit code 2, naming every problem.
export class UsageProblem extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "UsageProblem";
    this.problems = problems;
  }
}

interface Described<D> {
  readonly env: string;
  readonly about: string;
  readonly default: D;
}

const make = <T>(
  described: { env: string; about: string },
  defaultText: string | null,
  jsonSchema: Record<string, unknown>,
  parse: Setting<T>["parse"],
  secret = false,
): Setting<T> => ({ env: described.env, about: described.about, defaultText, secret, jsonSchema, parse });

export function textSetting<D extends string | null>(
  described: Described<D> & { readonly pattern?: RegExp; readonly shape?: string },
): Setting<D extends string ? string : string | null> {
  const { pattern, shape } = described;
  return make(
    described,
    described.default,
    { type: "string", ...(pattern ? { pattern: pattern.source } : {}) },
    (text) =>
      pattern && !pattern.test(text) ? { problem: `must be ${shape ?? `like ${pattern.source}`}` } : { value: text },
  ) as Setting<D extends string ? string : string | null>;
}

export function integerSetting(
  described: Described<number> & { readonly min?: number; readonly max?: number },
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = described;
  return make(described, String(described.default), { type: "integer", minimum: min, maximum: max }, (text) => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? { value } : { problem: `must be a whole number from ${min} to ${max}` };
  });
}

// A number whose default depends on other settings. Null means "not given".
export function optionalIntegerSetting(
  described: Described<null> & { readonly min: number; readonly max: number },
): Setting<number | null> {
  return { ...integerSetting({ ...described, default: described.min }), defaultText: null };
}

export function choiceSetting<const C extends string>(
  described: Described<C> & { readonly choices: readonly C[] },
): Setting<C> {
  return make(described, described.default, { enum: described.choices }, (text) => {
    const value = described.choices.find((choice) => choice === text);
    return value === undefined ? { problem: `must be one of ${described.choices.join(", ")}` } : { value };
  });
}

// A choice that has no default. Null means "not given".
export function optionalChoiceSetting<const C extends string>(
  described: Omit<Described<null>, "default"> & { readonly choices: readonly C[] },
): Setting<C | null> {
  const { choices } = described;
  return { ...choiceSetting({ ...described, default: "" as C, choices }), defaultText: null };
}

export function switchSetting(described: Described<boolean>): Setting<boolean> {
  return make(described, described.default ? "on" : "off", { enum: ["on", "off"] }, (text) =>
    text === "on" || text === "off" ? { value: text === "on" } : { problem: "must be on or off" },
  );
}

// Comma-separated in flags and environment, an array in the file.
export function listSetting(
  described: Described<readonly string[]> & { readonly item?: (text: string) => string | null },
): Setting<readonly string[]> {
  return make(described, described.default.join(","), { type: "array", items: { type: "string" } }, (text) => {
    const value = text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    for (const part of value) {
      const problem = described.item?.(part);
      if (problem) return { problem: `has the entry "${part}", which ${problem}` };
    }
    return { value };
  });
}

export function urlSetting(described: Described<null>): Setting<string | null> {
  return make(described, null, { type: "string", format: "uri" }, (text) => {
    const url = URL.parse(text);
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
      return { problem: "must be an http or https URL" };
    if (url.username || url.password || url.search || url.hash) {
      return { problem: "must be a plain address without user, query or fragment" };
    }
    return { value: text.replace(/\/+$/, "") };
  });
}

export function secretSetting(
  // `isText`: the content of a file, with spaces and line breaks.
  described: Described<null> & { readonly lengthMin?: number; readonly prefix?: string; readonly isText?: boolean },
): Setting<Secret | null> {
  const { lengthMin = 1, prefix = "", isText = false } = described;
  const allowed = isText ? /^[\x20-\x7e\r\n\t]+$/ : /^[\x21-\x7e]+$/;
  return make(
    described,
    null,
    { type: "string", minLength: lengthMin },
    (text) =>
      text.length < lengthMin || !text.startsWith(prefix) || !allowed.test(text)
        ? {
            problem: `must be ${prefix ? `a string beginning with ${prefix} of ` : ""}at least ${lengthMin} visible ASCII characters`,
          }
        : { value: new Secret(text) },
    true,
  );
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;
export type SettingValues<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer T> ? T : never;
};
export type SettingSource = "flag" | "environment" | "file" | "default";

export interface SettingInputs {
  readonly flags: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: Readonly<Record<string, unknown>>;
}

export interface ReadSettings<Table extends SettingTable> {
  readonly values: SettingValues<Table>;
  readonly sources: Readonly<Record<keyof Table, SettingSource>>;
  readonly problems: readonly string[];
}

export function readSettings<Table extends SettingTable>(table: Table, inputs: SettingInputs): ReadSettings<Table> {
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: string[] = [];
  for (const [key, setting] of Object.entries(table)) {
    const given = findGiven(key, setting, inputs);
    sources[key] = given.source;
    if (given.text === null) {
      values[key] = null;
      continue;
    }
    const parsed = setting.parse(given.text);
    if ("problem" in parsed) {
      const shown = setting.secret ? "" : ` (it is ${JSON.stringify(given.text)})`;
      problems.push(`${given.where} ${parsed.problem}${shown}. ${setting.about}`);
    } else values[key] = parsed.value;
  }
  for (const key of Object.keys(inputs.file)) {
    if (key !== "$schema" && !(key in table))
      problems.push(`atelier.config.json has the unknown setting "${key}"${nearestWord(key, Object.keys(table))}`);
  }
  for (const flag of Object.keys(inputs.flags)) {
    if (!Object.keys(table).some((key) => flagOf(key) === flag)) {
      problems.push(`There is no flag --${flag}${nearestWord(flag, Object.keys(table).map(flagOf), "--")}`);
    }
  }
  return {
    values: Object.freeze(values) as SettingValues<Table>,
    sources: sources as Record<keyof Table, SettingSource>,
    problems,
  };
}

// maxBodyBytes → max-body-bytes
export function flagOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function findGiven(key: string, setting: Setting<unknown>, inputs: SettingInputs) {
  const flag = inputs.flags[flagOf(key)];
  if (flag !== undefined) return { text: flag, source: "flag" as const, where: `--${flagOf(key)}` };
  const env = inputs.env[setting.env];
  // An empty variable means "not set", as in every shell script that clears one.
  if (env !== undefined && env !== "") return { text: env, source: "environment" as const, where: setting.env };
  const file = inputs.file[key];
  if (file !== undefined && file !== null) {
    return { text: asText(file), source: "file" as const, where: `atelier.config.json: ${key}` };
  }
  return { text: setting.defaultText, source: "default" as const, where: `The default of ${key}` };
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(",");
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "string" ? value : JSON.stringify(value);
}

// The end of a message about an unknown word: the likely intended one. For a short word only small differences count.
export function nearestWord(word: string, known: readonly string[], before = ""): string {
  const best = known
    .map((other) => ({ other, distance: editDistance(word, other) }))
    .sort((a, b) => a.distance - b.distance)[0];
  const isNear = best !== undefined && best.distance <= Math.min(3, Math.ceil(word.length / 2));
  return isNear ? `. Did you mean "${before}${best.other}"?` : ".";
}

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
