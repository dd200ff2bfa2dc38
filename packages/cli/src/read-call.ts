// Parses what follows a command's name: its verb, its words and its flags. It is the only such parser: the server's commands
// receive it with their input. It reports every problem in one go, before anything is sent or written.
import { parseArgs } from "node:util";
import type { CommandInput, ListedCommand } from "@atelier/server/commands";
import { nearWord } from "./near-word.ts";
import { ClientProblem } from "./server/client-problem.ts";

export interface ClientCall {
  // "" for a command without verbs.
  readonly verb: string;
  readonly words: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  has(option: string): boolean;
  // A whole number; throws if it is out of bounds.
  whole(option: string, least: number, most: number): number | undefined;
}

export const readArguments: CommandInput["readArguments"] = ({ options, words: expected }, given) => {
  const parsed = parseArgs({
    args: [...given],
    strict: false,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short, multiple }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
      ]),
    ),
  });
  const values = Object.entries(parsed.values).map(([name, value]) => ({ name, given: [value ?? []].flat() }));
  const problemOf = (flag: (typeof values)[number]) => flagProblem(options, flag.name, flag.given);
  const flags = Object.fromEntries(
    values.filter((flag) => problemOf(flag) === null).map((flag) => [flag.name, flag.given]),
  );
  const { problem, ...read } = readWords(expected, parsed.positionals);
  const problems = [...values.map(problemOf), problem ?? null].filter((each) => each !== null);
  return { ...read, flags, problems };
};

export function readCall(
  listed: Pick<ListedCommand, "name" | "words" | "options">,
  given: readonly string[],
): ClientCall {
  const { verb, words, flags, problems } = readArguments(listed, given);
  if (problems.length > 0) throw wrongCall(listed.name, problems);
  const texts = (option: string) => (flags[option] ?? []).filter((value) => typeof value === "string");
  return {
    verb,
    words,
    texts,
    text: (option) => texts(option).at(-1),
    has: (option) => flags[option]?.at(-1) === true,
    whole(option, least, most) {
      const value = texts(option).at(-1);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (Number.isInteger(number) && number >= least && number <= most) return number;
      throw wrongCall(listed.name, [`--${option} must be a whole number from ${least} to ${most}.`]);
    },
  };
}

export function wrongCall(command: string, problems: readonly string[]): ClientProblem {
  return new ClientProblem("usage", "usage", problems.join("\n  "), { hint: `atelier help ${command}` });
}

function flagProblem(
  options: ListedCommand["options"],
  name: string,
  given: readonly (string | boolean)[],
): string | null {
  const known = Object.hasOwn(options, name) ? options[name] : undefined;
  if (known === undefined) {
    const dashes = name.length === 1 ? "-" : "--";
    return `Unknown flag ${dashes}${name}${nearWord(name, Object.keys(options), "--")}`;
  }
  if (given.every((each) => typeof each === known.type)) return null;
  return known.type === "string" ? `--${name} needs a value.` : `--${name} takes no value.`;
}

interface Words {
  readonly verb: string;
  readonly words: readonly string[];
  readonly problem?: string;
}

function readWords(expected: ListedCommand["words"], given: readonly string[]): Words {
  if (isList(expected)) return { verb: "", words: given, ...wordsProblem(expected, given) };
  const [written, ...words] = given;
  const verbs = Object.keys(expected).filter((each) => each !== "");
  const verb = written === undefined ? undefined : meantBy(written, verbs);
  const choices = `Subcommands: ${verbs.join(", ")}.`;
  if (verb === undefined)
    return { verb: "", words, ...("" in expected ? {} : { problem: `Missing a subcommand: ${verbs.join(", ")}.` }) };
  const own = Object.hasOwn(expected, verb) ? expected[verb] : undefined;
  if (own === undefined)
    return { verb, words, problem: `Unknown subcommand "${verb}"${nearWord(verb, verbs)} ${choices}` };
  return { verb, words, ...wordsProblem(own, words) };
}

// Hands know these words from other programs. The help names one of each.
const synonyms = [
  ["ls", "list"],
  ["rm", "remove", "delete"],
  ["create", "new"],
];

function meantBy(written: string, verbs: readonly string[]): string {
  if (verbs.includes(written)) return written;
  const group = synonyms.find((words) => words.includes(written)) ?? [];
  const [verb = written, ...others] = verbs.filter((each) => group.includes(each));
  return others.length === 0 ? verb : written;
}

// `name?` is optional, `name…` may repeat.
function wordsProblem(expected: readonly string[], given: readonly string[]): { problem?: string } {
  const missing = expected.slice(given.length).filter((name) => !name.endsWith("?"));
  if (missing.length > 0) return { problem: `Missing: ${missing.map((name) => `<${name}>`).join(" ")}.` };
  if (expected.at(-1)?.includes("…")) return {};
  const surplus = given.slice(expected.length);
  return surplus.length > 0 ? { problem: `Unexpected arguments: ${surplus.join(" ")}.` } : {};
}

// The words each verb takes; empty for a command without verbs. A verb "" means that the command also runs without one.
export const verbsOf = ({ words }: Pick<ListedCommand, "words">): Readonly<Record<string, readonly string[]>> =>
  isList(words) ? {} : words;

const isList = (words: ListedCommand["words"]): words is readonly string[] => Array.isArray(words);
