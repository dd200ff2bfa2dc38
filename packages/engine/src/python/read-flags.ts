// The letters after `(?`: flags for the whole pattern, or for one group.
import type { PatternFlags } from "./character-set.ts";
import type { PatternSource } from "./pattern-source.ts";
import { PatternError } from "./pattern-tree.ts";

interface ReadFlags {
  readonly kind: "global" | "local";
  readonly flags: PatternFlags;
}

const known = "iLmsxau";

export function readFlags(source: PatternSource, first: string, flags: PatternFlags): ReadFlags {
  if (first !== "-" && !known.includes(first)) throw new PatternError(`unknown extension ?${first}`);
  const [added, end] = first === "-" ? ["", "-"] : readLetters(source, first, ")-:");
  if (added.includes("L")) throw new PatternError("bad inline flags: cannot use 'L' flag with a str pattern");
  if (added.includes("a") && added.includes("u"))
    throw new PatternError("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
  if (end === ")") return { kind: "global", flags: changed(flags, added, "") };
  if (end === ":") return { kind: "local", flags: changed(flags, added, "") };
  const letter = source.take();
  if (letter === null || !known.includes(letter)) throw new PatternError("missing flag");
  const [removed] = readLetters(source, letter, ":");
  if (/[auL]/.test(removed)) throw new PatternError("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
  if ([...removed].some((one) => added.includes(one)))
    throw new PatternError("bad inline flags: flag turned on and off");
  return { kind: "local", flags: changed(flags, added, removed) };
}

function readLetters(source: PatternSource, first: string, ends: string): [letters: string, end: string] {
  let letters = "";
  for (let letter: string | null = first; ; letter = source.take()) {
    if (letter === null) throw new PatternError(`missing ${ends}`);
    if (letters !== "" && ends.includes(letter)) return [letters, letter];
    if (!known.includes(letter)) throw new PatternError("unknown flag");
    letters += letter;
  }
}

function changed(flags: PatternFlags, added: string, removed: string): PatternFlags {
  const now = (letter: string, before: boolean) => (before || added.includes(letter)) && !removed.includes(letter);
  return {
    ignoreCase: now("i", flags.ignoreCase),
    multiline: now("m", flags.multiline),
    dotAll: now("s", flags.dotAll),
    verbose: now("x", flags.verbose),
    ascii: added.includes("u") ? false : flags.ascii || added.includes("a"),
  };
}
