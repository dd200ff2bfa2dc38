import assert from "node:assert/strict";
import { test } from "node:test";
import { applySourceRules } from "./apply-rules.ts";
import { builtInRules } from "./built-in-rules.ts";
import { extendRules } from "./rule-set.ts";

const own = {
  code: "acme_pickle",
  message: "No pickles.",
  languages: ["python"],
  in: "code",
  pattern: "pickle\\.loads?\\s*\\(",
};

test("an operator's file adds rules, takes built-in ones away and shows in the version", () => {
  const read = extendRules(builtInRules, { version: "acme-3", rules: [own], without: ["python_eval"] });
  assert.ok(read.ok);
  assert.equal(read.ruleSet.version, "atelier-2+acme-3");
  const file = { name: "a.py", source: "eval(x)\npickle.load(f)" };
  const findings = applySourceRules(read.ruleSet, file, { testsAreUsed: false });
  assert.deepEqual(findings, [{ code: "acme_pickle", message: "No pickles.", file: "a.py", line: 2 }]);
});

test("all problems of an operator's file are reported together", () => {
  const rules = [
    { ...own, pattern: "(" },
    { ...own, code: "python_eval" },
    { ...own, pattern: "x*" },
  ];
  const read = extendRules(builtInRules, { version: "1", rules, without: ["nothing"] });
  assert.ok(!read.ok);
  assert.deepEqual(read.problems, [
    "/rules/0 pattern is not a valid regular expression",
    "/rules/2 pattern matches the empty string",
    '/rules/1/code is taken: "python_eval"',
    '/without/0 is not a built-in rule: "nothing"',
  ]);
  assert.ok(!extendRules(builtInRules, { rules: [{ code: "X" }] }).ok);
});

test("every built-in rule is one an operator could have written", () => {
  const read = extendRules(
    { version: "none", rules: [] },
    { version: builtInRules.version, rules: builtInRules.rules },
  );
  assert.deepEqual(read.ok ? [] : read.problems, []);
});
