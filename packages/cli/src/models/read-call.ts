// Reads what stands behind a client command's name: its verb, its words and its flags. Every problem is reported at once,
// before anything is sent or written.
import { parseArgs } from "node:util";
import type { ListedCommand } from "@atelier/server/commands";
import type { ClientOption } from "../client-command.ts";
import { nearWord } from "../near-word.ts";
import { ClientProblem } from "../server/client-problem.ts";

export interface ClientCall {
  // "" for a command without verbs.
  readonly verb: string;
  readonly words: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  has(option: string): boolean;
  // A whole number, refused outside its bounds.
  whole(option: string, least: number, most: number): number | undefined;
}

type Described = Pick<ListedCommand, "name" | "words"> & {
  readonly options: Readonly<Record<string, ClientOption>>;
};

export function readCall(listed: Described, given: readonly string[]): ClientCall {
  const { values, positionals } = parseArgs({
    args: [...given],
    strict: false,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(listed.options).map(([name, { type, short, multiple }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
      ]),
    ),
  });
  const { verb, words, problem } = readWords(listed.words, positionals);
  const problems = [...flagProblems(listed, values), ...(problem === undefined ? [] : [problem])];
  if (problems.length > 0) throw wrongCall(listed.name, problems);
  const text = (option: string) => [values[option]].flat().findLast((value) => typeof value === "string");
  return {
    verb,
    words,
    text,
    texts: (option) => [values[option]].flat().filter((value) => typeof value === "string"),
    has: (option) => values[option] === true,
    whole(option, least, most) {
      const value = text(option);
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

function flagProblems({ options }: Described, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const known = Object.hasOwn(options, name) ? options[name] : undefined;
    if (known === undefined) {
      const dashes = name.length === 1 ? "-" : "--";
      return [`There is no flag ${dashes}${name}${nearWord(name, Object.keys(options), "--")}`];
    }
    const isWhole = [value].flat().every((each) => typeof each === known.type);
    if (isWhole) return [];
    return [known.type === "string" ? `--${name} needs a value.` : `--${name} takes no value.`];
  });
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
  const choices = `Say what to do: ${verbs.join(", ")}.`;
  if (verb === undefined) return { verb: "", words, problem: choices };
  const own = Object.hasOwn(expected, verb) ? expected[verb] : undefined;
  if (own === undefined)
    return { verb, words, problem: `There is no "${verb}" here${nearWord(verb, verbs)} ${choices}` };
  return { verb, words, ...problemOfWords(own, words) };
}

// `name?` may be absent, `name…` may be several.
function problemOfWords(expected: readonly string[], given: readonly string[]): { problem?: string } {
  const missing = expected.slice(given.length).filter((name) => !name.endsWith("?"));
  if (missing.length > 0) return { problem: `Missing: ${missing.map((name) => `<${name}>`).join(" ")}.` };
  if (expected.at(-1)?.includes("…")) return {};
  const surplus = given.slice(expected.length);
  return surplus.length > 0 ? { problem: `Too many words: ${surplus.join(" ")}.` } : {};
}

const isList = (words: ListedCommand["words"]): words is readonly string[] => Array.isArray(words);
