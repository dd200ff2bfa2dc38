// What a command of the server looks like to the `atelier` program: a listed name with its help, and one function that
// is loaded when it is asked for. Commands return data and words; printing them (for people, for programs or as --json)
// is the command line's work.
import { parseArgs } from "node:util";
import type { Config } from "../../config.ts";
import { readConfig, settingTable } from "../../config.ts";
import { flagOf, nearestWord } from "../../foundation/settings.ts";

export interface CommandInput {
  // The options and words behind the command's name.
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  // The parsed atelier.config.json of the working folder, {} if there is none.
  readonly file: Readonly<Record<string, unknown>>;
  readonly isTerminal: boolean;
  readonly isColoured: boolean;
  readonly json: boolean;
  readonly isUnicode: boolean;
  // Progress and hints, for people.
  say(line: string): void;
  // Data that comes while the command runs, a line each; the result follows as usual.
  line(line: string): void;
  // One line that is drawn again and again, "" to wipe it; a function is told how much room there is. False: nobody
  // watches, say it instead.
  redraw(line: string | ((columns: number) => string)): boolean;
  // Ends the process: only long-running commands need it, for a second stop signal.
  exit(code: number): void;
}

// Times stay times: people read how long ago it was, programs the moment itself.
export type Cell = string | Date | null;

export interface CommandTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  // What people are told instead of a head line over nothing: why, or what to do next.
  readonly empty?: string;
}

export interface CommandResult {
  // What --json prints.
  readonly data: unknown;
  // What people and pipes get: lines, or a table.
  readonly text: string | CommandTable;
  readonly warnings?: readonly string[];
  // Talk for people that must be the last they read.
  readonly afterwards?: string;
  // 0 unless a check found problems (12); `problem` then says so in one sentence.
  readonly exitCode?: number;
  readonly problem?: string;
}

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly about: string;
}

export interface ListedCommand {
  readonly name: string;
  readonly about: string;
  // Without the program's name, one line each.
  readonly usage: readonly string[];
  readonly examples: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  // The words it takes, in order ("folder?": may be absent); by verb where it has verbs.
  readonly words: readonly string[] | Readonly<Record<string, readonly string[]>>;
  load(): Promise<Command>;
}

export interface Command {
  run(listed: ListedCommand, input: CommandInput): Promise<CommandResult>;
}

// A wrong call or a wrong setting: exit code 2, with every problem named.
export class UsageProblem extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "UsageProblem";
    this.problems = problems;
  }
}

export interface ReadCommand {
  readonly config: Config;
  readonly sources: ReturnType<typeof readConfig>["sources"];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  // "" for a command without verbs.
  readonly verb: string;
  readonly words: readonly string[];
}

// Flags of the command and of every setting, read together; all problems are reported at once.
export function readCommand(listed: Pick<ListedCommand, "options" | "words">, input: CommandInput): ReadCommand {
  const options: Record<string, { type: "string" | "boolean" }> = {};
  for (const key of Object.keys(settingTable)) options[flagOf(key)] = { type: "string" };
  for (const [name, option] of Object.entries(listed.options)) options[name] = { type: option.type };
  const parsed = parseArgs({ args: [...input.arguments], options, strict: false, allowPositionals: true });
  const own: Record<string, string | boolean | undefined> = {};
  const flags: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(parsed.values)) {
    const single = Array.isArray(value) ? value.at(-1) : value;
    const expected = options[name]?.type;
    if (expected === undefined) {
      const dashes = name.length === 1 ? "-" : "--";
      problems.push(`There is no flag ${dashes}${name}${nearestWord(name, Object.keys(options), "--")}`);
    } else if (expected === "string" && typeof single !== "string") problems.push(`--${name} needs a value.`);
    else if (expected === "boolean" && single !== true) problems.push(`--${name} takes no value.`);
    else if (name in listed.options) own[name] = single;
    else flags[name] = String(single);
  }
  const { verb, words, problem } = readWords(listed.words, parsed.positionals);
  if (problem) problems.push(problem);
  const read = readConfig({ flags, env: input.env, file: input.file });
  problems.push(...read.problems);
  if (problems.length > 0) throw new UsageProblem(problems);
  return { config: read.values, sources: read.sources, options: own, verb, words };
}

interface Words {
  readonly verb: string;
  readonly words: readonly string[];
  readonly problem?: string;
}

function readWords(expected: ListedCommand["words"], given: readonly string[]): Words {
  if (isList(expected)) return { verb: "", words: given, ...problemOfWords(expected, given) };
  const [verb, ...words] = given;
  const verbs = Object.keys(expected);
  const choices = `Say what to do: ${verbs.join(", ")}`;
  if (verb === undefined) return { verb: "", words, problem: `${choices}.` };
  const own = Object.hasOwn(expected, verb) ? expected[verb] : undefined;
  if (own === undefined) {
    return { verb, words, problem: `There is no "${verb}" here${nearestWord(verb, verbs)} ${choices}.` };
  }
  return { verb, words, ...problemOfWords(own, words) };
}

function problemOfWords(expected: readonly string[], given: readonly string[]): { problem?: string } {
  const missing = expected.slice(given.length).filter((name) => !name.endsWith("?"));
  if (missing.length > 0) return { problem: `Missing: ${missing.map((name) => `<${name}>`).join(" ")}.` };
  const surplus = given.slice(expected.length);
  return surplus.length > 0 ? { problem: `Too many words: ${surplus.join(" ")}.` } : {};
}

const isList = (words: ListedCommand["words"]): words is readonly string[] => Array.isArray(words);
