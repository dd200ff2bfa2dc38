// Rules are data: what to look for, in which view of which files, and what to report. An operator's file adds rules,
// removes built-in ones and has its own version; both versions are stored with every verdict.
import { type Static, Type } from "typebox";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { capabilityWords } from "../python/code-uses.ts";

const pattern = Type.String({ minLength: 1, maxLength: 2_000 });

export const Rule = Type.Object(
  {
    code: Type.String({ pattern: "^[a-z][a-z0-9_]{2,63}$" }),
    message: Type.String({ minLength: 1, maxLength: 500 }),
    // If absent, the rule applies to files of every name. Only these two languages are read as code.
    languages: Type.Optional(Type.Array(Type.Union([Type.Literal("python"), Type.Literal("javascript")]))),
    // code: without comments and strings; text: without comments; strings: one string at a time; path: the file's name.
    in: Type.Union([Type.Literal("code"), Type.Literal("text"), Type.Literal("strings"), Type.Literal("path")]),
    pattern,
    // The match ends in an opening bracket, and the text inside the brackets must match this too (strings included).
    arguments: Type.Optional(pattern),
    // The file must also contain this, anywhere outside comments.
    also_in_file: Type.Optional(pattern),
    // Match only code that runs on import.
    at_import: Type.Optional(Type.Boolean()),
    // This many matches in one file make one finding.
    count_min: Type.Optional(Type.Integer({ minimum: 1 })),
    // Apply the rule to tests too; by default they are skipped.
    in_tests: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type Rule = Static<typeof Rule>;

const RuleFile = Type.Object(
  {
    version: Type.String({ pattern: "^[A-Za-z0-9._-]{1,64}$" }),
    rules: Type.Optional(Type.Array(Rule, { maxItems: 1_000 })),
    // Capabilities that a version must not have: `network_at_import`. A version that has one is flagged.
    refuse: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
    // Codes of built-in rules to switch off.
    without: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
  },
  { additionalProperties: false },
);

export interface RuleSet {
  readonly version: string;
  readonly rules: readonly Rule[];
  readonly refuse?: readonly string[];
}

export type ReadRuleSet =
  | { readonly ok: true; readonly ruleSet: RuleSet }
  | { readonly ok: false; readonly problems: readonly string[] };

// Reports every problem of the file at once, not just the first.
export function extendRules(builtIn: RuleSet, file: unknown): ReadRuleSet {
  const check = compileSchema(RuleFile);
  if (!check.accepts(file)) {
    return { ok: false, problems: check.violations(file).map(({ path, message }) => `${path || "/"} ${message}`) };
  }
  const { rules = [], without = [], refuse = [], version } = file;
  const known = new Set(builtIn.rules.map(({ code }) => code));
  const problems = [
    ...rules.flatMap((rule, index) => patternProblems(rule).map((problem) => `/rules/${index} ${problem}`)),
    ...rules.flatMap(({ code }, index) => (known.has(code) ? [`/rules/${index}/code is taken: "${code}"`] : [])),
    ...without.flatMap((code, index) =>
      known.has(code) ? [] : [`/without/${index} is not a built-in rule: "${code}"`],
    ),
    ...refuse.flatMap((word, index) =>
      capabilityWords.some((known) => known === word) ? [] : [`/refuse/${index} is not a capability: "${word}"`],
    ),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const kept = builtIn.rules.filter(({ code }) => !without.includes(code));
  return { ok: true, ruleSet: { version: `${builtIn.version}+${version}`, rules: [...kept, ...rules], refuse } };
}

function patternProblems(rule: Rule): string[] {
  return (["pattern", "arguments", "also_in_file"] as const).flatMap((name) => {
    const source = rule[name];
    if (source === undefined) return [];
    try {
      return new RegExp(source, "gm").test("") && name === "pattern" ? [`${name} matches the empty string`] : [];
    } catch {
      return [`${name} is not a valid regular expression`];
    }
  });
}
