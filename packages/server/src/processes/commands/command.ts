// A server command as the `atelier` program sees it: a listed name with its help, and a function that is loaded on demand.
// Commands return data and text; the command line prints them (for people, for programs or as --json).
import type { Config } from "../../config.ts";
import { readConfig, settingTable } from "../../config.ts";
import { flagOf, UsageProblem } from "../../foundation/settings.ts";

export interface CommandInput {
  // The options and words after the command's name.
  readonly arguments: readonly string[];
  // The command line's own parser, the same for every command.
  readArguments(declared: Pick<ListedCommand, "options" | "words">, given: readonly string[]): ReadArguments;
  readonly env: Readonly<Record<string, string | undefined>>;
  // The parsed atelier.config.json of the working folder, {} if there is none.
  readonly file: Readonly<Record<string, unknown>>;
  readonly isTerminal: boolean;
  readonly isColoured: boolean;
  readonly json: boolean;
  readonly isUnicode: boolean;
  // Progress and hints, for people.
  say(line: string): void;
  // Data printed while the command runs, one line each. The result follows as usual.
  line(line: string): void;
  // One line that is redrawn repeatedly; "" clears it. A function gets the available width. Returns false if no one is
  // watching; then use `say` instead.
  redraw(line: string | ((columns: number) => string)): boolean;
  // Ends the process. Only long-running commands need it, for a second stop signal.
  exit(code: number): void;
}

// Dates stay dates: people see how long ago, programs get the exact time.
export type Cell = string | Date | null;

export interface CommandTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  // Shown to people instead of an empty table: why it is empty, or what to do next.
  readonly empty?: string;
}

export interface CommandResult {
  // What --json prints.
  readonly data: unknown;
  // What people and pipes get: lines, or a table.
  readonly text: string | CommandTable;
  readonly warnings?: readonly string[];
  // A message for people that must come last.
  readonly afterwards?: string;
  // 0 unless a check found problems (12); `problem` then describes it in one sentence.
  readonly exitCode?: number;
  readonly problem?: string;
}

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly about: string;
  // One letter, after one dash.
  readonly short?: string;
  // Whether it can be repeated.
  readonly multiple?: boolean;
}

export interface ListedCommand {
  readonly name: string;
  readonly about: string;
  // Without the program's name, one line each.
  readonly usage: readonly string[];
  readonly examples: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  // The words it takes, in order, or per verb if it has verbs. "folder?" is optional, "file…" can be repeated.
  readonly words: readonly string[] | Readonly<Record<string, readonly string[]>>;
  load(): Promise<Command>;
}

export interface Command {
  run(listed: ListedCommand, input: CommandInput): Promise<CommandResult>;
}

export interface ReadArguments {
  // "" for a command without verbs.
  readonly verb: string;
  readonly words: readonly string[];
  // The declared flags that were given correctly, each with all its values.
  readonly flags: Readonly<Record<string, readonly (string | boolean)[]>>;
  readonly problems: readonly string[];
}

export interface ReadCommand extends Pick<ReadArguments, "verb" | "words"> {
  readonly config: Config;
  readonly sources: ReturnType<typeof readConfig>["sources"];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

// Reads the flags of the command and of every setting together, and reports all problems at once.
export function readCommand(listed: Pick<ListedCommand, "options" | "words">, input: CommandInput): ReadCommand {
  const settings = Object.keys(settingTable).map((key): [string, CommandOption] => [
    flagOf(key),
    { type: "string", about: "" },
  ]);
  const options = { ...Object.fromEntries(settings), ...listed.options };
  const { verb, words, flags, problems } = input.readArguments({ options, words: listed.words }, input.arguments);
  const given = Object.entries(flags);
  const read = readConfig({
    flags: Object.fromEntries(
      given.filter(([name]) => !(name in listed.options)).map(([name, values]) => [name, String(values.at(-1))]),
    ),
    env: input.env,
    file: input.file,
  });
  if (problems.length + read.problems.length > 0) throw new UsageProblem([...problems, ...read.problems]);
  const own = given.filter(([name]) => name in listed.options).map(([name, values]) => [name, values.at(-1)]);
  return { config: read.values, sources: read.sources, options: Object.fromEntries(own), verb, words };
}
