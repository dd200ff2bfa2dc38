// What a command of the server looks like to the `atelier` program: a listed name with its help, and one function that
// is loaded when it is asked for. Commands return data and words; printing them (for people, for programs or as --json)
// is the command line's work.
import type { Config } from "../../config.ts";
import { readConfig, settingTable } from "../../config.ts";
import { flagOf } from "../../foundation/settings.ts";

export interface CommandInput {
  // The options and words behind the command's name.
  readonly arguments: readonly string[];
  // Reads them, for every command alike: the command line's own reader.
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
  // Data that comes while the command runs, a line each; the result follows as usual.
  line(line: string): void;
  // One line that is drawn again and again, "" to wipe it; a function is told how much room there is. False: no one
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
  // One letter, behind one dash.
  readonly short?: string;
  // Whether it may be given several times.
  readonly multiple?: boolean;
}

export interface ListedCommand {
  readonly name: string;
  readonly about: string;
  // Without the program's name, one line each.
  readonly usage: readonly string[];
  readonly examples: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  // The words it takes, in order; by verb where it has verbs. "folder?" may be absent, "file…" may be several.
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

export interface ReadArguments {
  // "" for a command without verbs.
  readonly verb: string;
  readonly words: readonly string[];
  // The flags that are declared and given as declared, each with all its values.
  readonly flags: Readonly<Record<string, readonly (string | boolean)[]>>;
  readonly problems: readonly string[];
}

export interface ReadCommand extends Pick<ReadArguments, "verb" | "words"> {
  readonly config: Config;
  readonly sources: ReturnType<typeof readConfig>["sources"];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

// Flags of the command and of every setting, read together; all problems are reported at once.
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
