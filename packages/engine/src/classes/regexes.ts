// Regular expressions on texts.
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { choice, flag, int, text } from "../graph/describe-inputs.ts";
import { compileRegex, fillTemplate } from "./python-regex.ts";

const category = "utils/string";
const long = { multiline: true } as const;

function patternOf(inputs: Inputs): RegExp | null {
  return compileRegex(inputs.text("regex_pattern"), {
    isCaseInsensitive: inputs.flag("case_insensitive"),
    isMultiline: inputs.flag("multiline"),
    isDotAll: inputs.flag("dotall"),
  });
}

const switches = (extra: { readonly optional?: boolean } = {}) => [
  flag("case_insensitive", true, extra),
  flag("multiline", false, extra),
  flag("dotall", false, { ...extra, tooltip: "Whether a dot also stands for a line break." }),
];

export const regexMatch: NodeRunner = {
  description: {
    name: "RegexMatch",
    displayName: "Regex Match",
    category,
    description: "Whether the pattern occurs in the text.",
    inputs: [text("string", "", long), text("regex_pattern", "", long), ...switches()],
    outputs: [{ type: "BOOLEAN", name: "matches" }],
    isOutputNode: false,
  },
  run: (inputs) => [patternOf(inputs)?.test(inputs.text("string")) ?? false],
};

export const regexExtract: NodeRunner = {
  description: {
    name: "RegexExtract",
    displayName: "Regex Extract",
    category,
    description: "What the pattern, or one of its groups, matches.",
    inputs: [
      text("string", "", long),
      text("regex_pattern", "", long),
      choice("mode", ["First Match", "All Matches", "First Group", "All Groups"]),
      ...switches(),
      int("group_index", 1, 0, 100),
    ],
    outputs: [{ type: "STRING", name: "STRING" }],
    isOutputNode: false,
  },
  run(inputs) {
    const pattern = patternOf(inputs);
    if (!pattern) return [""];
    const mode = inputs.choice("mode");
    const index = inputs.int("group_index");
    const matches = [...inputs.text("string").matchAll(pattern)];
    if (mode === "First Match") return [matches[0]?.[0] ?? ""];
    // With groups, "all matches" are those of the first group.
    if (mode === "All Matches") return [matches.map((match) => match[match.length > 1 ? 1 : 0] ?? "").join("\n")];
    const groups = matches.filter((match) => match.length > Math.max(1, index)).map((match) => match[index] ?? "");
    if (mode === "All Groups") return [groups.join("\n")];
    const [first] = matches;
    return [first && first.length > index ? (first[index] ?? "") : ""];
  },
};

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
      int("count", 0, 0, 100, { optional: true, tooltip: "How many replacements at most; 0 for all." }),
    ],
    outputs: [{ type: "STRING", name: "STRING" }],
    isOutputNode: false,
  },
  run(inputs) {
    const pattern = patternOf(inputs);
    if (!pattern) throw new NodeError("regex_pattern: this is not a regular expression.");
    const source = inputs.text("string");
    const template = inputs.text("replace");
    const most = inputs.int("count") || Number.POSITIVE_INFINITY;
    let out = "";
    let at = 0;
    let count = 0;
    for (const match of source.matchAll(pattern)) {
      if (count++ >= most) break;
      out += source.slice(at, match.index) + fillTemplate(template, match);
      at = match.index + match[0].length;
    }
    return [out + source.slice(at)];
  },
};
