// Regular expressions on texts.
import type { Inputs } from "../../execution/inputs.ts";
import { NodeError } from "../../execution/node-error.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { choice, flag, int, text } from "../../graph/describe-inputs.ts";
import { compilePattern, type Match, type Pattern } from "../../python/pattern.ts";
import { PatternError } from "../../python/pattern-tree.ts";
import { readReplacement } from "../../python/replacement.ts";

const category = "utils/string";
const long = { multiline: true } as const;

function compiled(inputs: Inputs): Pattern {
  return compilePattern(inputs.text("regex_pattern"), {
    ignoreCase: inputs.flag("case_insensitive"),
    multiline: inputs.flag("multiline"),
    dotAll: inputs.flag("dotall"),
  });
}

// A pattern that Python refuses matches nothing, as in the application; one that only we cannot handle is an error.
function patternOf(inputs: Inputs): Pattern | null {
  try {
    return compiled(inputs);
  } catch (thrown) {
    if (thrown instanceof PatternError) return null;
    throw thrown;
  }
}

const switches = (extra: { readonly optional?: boolean } = {}) => [
  flag("case_insensitive", true, extra),
  flag("multiline", false, extra),
  flag("dotall", false, { ...extra, tooltip: "Whether a dot also matches a line break." }),
];

export const regexMatch: NodeRunner = {
  description: {
    name: "RegexMatch",
    displayName: "Regex Match",
    category,
    description: "Tells whether the pattern occurs in the text.",
    inputs: [text("string", "", long), text("regex_pattern", "", long), ...switches()],
    outputs: [{ type: "BOOLEAN", name: "matches" }],
  },
  run: (inputs) => [patternOf(inputs)?.matches(inputs.text("string")).next().done === false],
};

export const regexExtract: NodeRunner = {
  description: {
    name: "RegexExtract",
    displayName: "Regex Extract",
    category,
    description: "Extracts what the pattern, or one of its groups, matches.",
    inputs: [
      text("string", "", long),
      text("regex_pattern", "", long),
      choice("mode", ["First Match", "All Matches", "First Group", "All Groups"]),
      ...switches(),
      int("group_index", 1, 0, 100),
    ],
    outputs: [{ type: "STRING", name: "STRING" }],
  },
  run(inputs) {
    const pattern = patternOf(inputs);
    if (!pattern) return [""];
    const matches = pattern.matches(inputs.text("string"));
    const index = inputs.int("group_index");
    switch (inputs.choice("mode")) {
      case "First Match":
        return [firstOf(matches)?.group(0) ?? ""];
      case "All Matches":
        // With groups, "all matches" are those of the first group; empty if it did not participate.
        return [Array.from(matches, (match) => match.group(Math.min(1, pattern.groups)) ?? "").join("\n")];
      case "First Group": {
        const first = index <= pattern.groups ? firstOf(matches) : null;
        return [first === null ? "" : groupOf(first, index)];
      }
      default:
        if (pattern.groups === 0 || index > pattern.groups) return [""];
        return [Array.from(matches, (match) => groupOf(match, index)).join("\n")];
    }
  },
};

function firstOf(matches: Generator<Match>): Match | null {
  const { done, value } = matches.next();
  return done === true ? null : value;
}

// The application returns nothing at all in this case, and any class that takes a text fails.
function groupOf(match: Match, index: number): string {
  const group = match.group(index);
  if (group === null) throw new NodeError(`regex_pattern: group ${index} is not part of a match, so it has no text.`);
  return group;
}

export const regexReplace: NodeRunner = {
  description: {
    name: "RegexReplace",
    displayName: "Regex Replace",
    category,
    description: "Find and replace text using regex patterns.",
    inputs: [
      text("string", "", long),
      text("regex_pattern", "", long),
      text("replace", "", long),
      ...switches({ optional: true }),
      int("count", 0, 0, 100, { optional: true, tooltip: "Maximum number of replacements; 0 for all." }),
    ],
    outputs: [{ type: "STRING", name: "STRING" }],
  },
  run(inputs) {
    const pattern = explained("regex_pattern: this is not a regular expression", () => compiled(inputs));
    const source = inputs.text("string");
    const fill = explained("replace", () => readReplacement(inputs.text("replace"), pattern));
    const most = inputs.int("count") || Number.POSITIVE_INFINITY;
    let out = "";
    let at = 0;
    let count = 0;
    for (const match of pattern.matches(source)) {
      if (count++ >= most) break;
      out += source.slice(at, match.start) + fill(match);
      at = match.end;
    }
    return [out + source.slice(at)];
  },
};

function explained<T>(what: string, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    throw thrown instanceof PatternError ? new NodeError(`${what}: ${thrown.message}.`) : thrown;
  }
}
