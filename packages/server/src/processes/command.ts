// What a command of the server looks like to the `atelier` program: a value with its help, its options and one function.
// Commands return data and words; printing them (for people or as --json) is the command line's work.
import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { readConfig, settingTable } from "../config.ts";
import { flagOf } from "../foundation/settings.ts";

export interface CommandInput {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  // The parsed atelier.config.json of the working folder, {} if there is none.
  readonly file: Readonly<Record<string, unknown>>;
  readonly isTerminal: boolean;
  readonly json: boolean;
  // Progress and hints, for people.
  say(line: string): void;
  // Data, for programs: the `ready` line of a server that goes on running.
  print(line: string): void;
  // Ends the process: only long-running commands need it, for a second stop signal.
  exit(code: number): void;
}

export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
  // 0 unless a check found problems (12).
  readonly exitCode?: number;
}

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly about: string;
}

export interface Command {
  readonly name: string;
  readonly about: string;
  readonly usage: string;
  readonly examples: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  run(input: CommandInput): Promise<CommandResult>;
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
  readonly positionals: readonly string[];
}

// Flags of the command and of every setting, read together; all problems are reported at once.
export function readCommand(command: Pick<Command, "options">, input: CommandInput): ReadCommand {
  const options: Record<string, { type: "string" | "boolean" }> = {};
  for (const key of Object.keys(settingTable)) options[flagOf(key)] = { type: "string" };
  for (const [name, option] of Object.entries(command.options)) options[name] = { type: option.type };
  const parsed = parseArgs({ args: [...input.arguments], options, strict: false, allowPositionals: true });
  const own: Record<string, string | boolean | undefined> = {};
  const flags: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(parsed.values)) {
    const single = Array.isArray(value) ? value.at(-1) : value;
    const expected = options[name]?.type;
    if (expected === "string" && typeof single !== "string") problems.push(`--${name} needs a value.`);
    else if (name in command.options) own[name] = single;
    else flags[name] = typeof single === "string" ? single : "on";
  }
  const read = readConfig({ flags, env: input.env, file: input.file });
  problems.push(...read.problems);
  if (problems.length > 0) throw new UsageProblem(problems);
  return { config: read.values, sources: read.sources, options: own, positionals: parsed.positionals };
}
