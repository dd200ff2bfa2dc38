// What is sent when a form is published, and where a refusal of the server is shown.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Publication, publicationBody, refusalsIn, workNameFrom, wrongName, wrongProvider } from "./publishing.ts";

const publication: Publication = {
  name: "lighthouse",
  title: " Lighthouse ",
  description: "",
  visibility: "private",
  sharedWith: "",
  note: "",
  provider: "",
  runsDefaults: true,
};
const what = {
  workflowId: "0198a1de-0000-7000-8000-000000000001",
  version: 2,
  form: { inputs: [], outputs: [{ name: "picture", node: "9" }] },
  examples: [],
};

describe("the name of a work", () => {
  test("any text becomes a good name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => assert.equal(wrongName(workNameFrom(text)), null)),
    );
    assert.equal(workNameFrom("Lighthouse at night.json"), "lighthouse-at-night-json");
  });

  test("a name that reads as a version, and one with other characters, is refused before it is sent", () => {
    assert.equal(wrongName("fox.v2") === null, false);
    assert.equal(wrongName("fox.v2b"), null);
    for (const name of ["", "Fox", "fox--red", "-fox", "fox/red", "x".repeat(111)]) assert.ok(wrongName(name), name);
  });

  test("the provider may be given with or without its prefix", () => {
    assert.deepEqual(["", "acme", "w.acme"].map(wrongProvider), [null, null, null]);
    assert.ok(wrongProvider("Acme Ltd"));
  });
});

describe("what is sent", () => {
  test("nothing that was left empty", () => {
    assert.deepEqual(publicationBody(publication, what), {
      workflow_id: what.workflowId,
      version: 2,
      form: what.form,
      visibility: "private",
      title: "Lighthouse",
    });
  });

  test("no example at all has to be said; one with the defaults is the rule", () => {
    assert.deepEqual(publicationBody({ ...publication, runsDefaults: false }, what).examples, []);
    const examples = [{ title: " ", inputs: { seed: 7 } }];
    assert.deepEqual(publicationBody(publication, { ...what, examples }).examples, [{ inputs: { seed: 7 } }]);
  });

  test("workspaces are sent only if the work is shared", () => {
    const sharedWith = "A-1, b-2\n b-2";
    assert.deepEqual(publicationBody({ ...publication, visibility: "shared", sharedWith }, what).shared_with, [
      "a-1",
      "b-2",
    ]);
    assert.equal(publicationBody({ ...publication, sharedWith }, what).shared_with, undefined);
    assert.equal(publicationBody({ ...publication, provider: "acme" }, what).provider, "w.acme");
  });
});

test("a refusal is shown at the field, the example or the member that it names", () => {
  const { form, examples, fields } = refusalsIn({
    fields: [
      { path: ["form", "inputs", "3", "node"], message: "is not in the graph." },
      { path: ["body", "examples", "1", "inputs", "seed"], message: "must be an integer." },
      { path: ["provider"], message: "is taken." },
    ],
  });
  assert.deepEqual(form, [{ path: ["inputs", 3, "node"], message: "is not in the graph." }]);
  assert.match(examples.get(1) ?? "", /seed.*must be an integer/);
  assert.equal(fields.get("provider"), "is taken.");
});
