import assert from "node:assert/strict";
import { test } from "node:test";
import { readCode } from "../python/read-code.ts";
import { applySourceRules } from "./apply-rules.ts";
import { builtInRules } from "./built-in-rules.ts";
import { refusedUses } from "./refused-uses.ts";
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

test("an operator's file refuses versions by what their code can do, at its first place", () => {
  const read = extendRules(builtInRules, { version: "1", refuse: ["network_at_import", "native"] });
  assert.ok(read.ok);
  const { uses } = readCode(
    ["a.py"],
    [{ name: "a.py", source: "import requests\ndef f():\n    requests.get('x')\nf()" }],
  );
  assert.deepEqual(refusedUses(read.ruleSet.refuse ?? [], uses), [
    {
      code: "capability_network_at_import",
      message: "This registry does not accept nodes that open the network at import (requests.get).",
      file: "a.py",
      line: 3,
    },
  ]);
  const wrong = extendRules(builtInRules, { version: "1", refuse: ["telepathy"] });
  assert.deepEqual(wrong.ok ? [] : wrong.problems, ['/refuse/0 is not a capability: "telepathy"']);
});

test("every built-in rule is one an operator could have written", () => {
  const read = extendRules(
    { version: "none", rules: [] },
    { version: builtInRules.version, rules: builtInRules.rules },
  );
  assert.deepEqual(read.ok ? [] : read.problems, []);
});
