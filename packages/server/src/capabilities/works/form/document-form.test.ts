import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { checkForm } from "./check-form.ts";
import { abridgeForm, completeForm } from "./complete-form.ts";
import { readDocumentForm, withoutDocumentForm, writeDocumentForm } from "./document-form.ts";
import { suggestForm } from "./suggest-form.ts";
import type { FormInput, WorkForm } from "./work-form.ts";
import { isAppModeOf } from "./write-app-mode.ts";

const most = 2n ** 64n - 1n;
const painter = {
  input: {
    required: {
      seed: ["INT", { min: 0, max: most }],
      cfg: ["FLOAT", { min: 0, max: 100 }],
      prompt: ["STRING", { multiline: true }],
      sampler: [["euler", "heun", "lms"], {}],
      tiled: ["BOOLEAN", {}],
    },
  },
  output: ["IMAGE"],
};
const save = { input: { required: { images: ["IMAGE"], name: ["STRING", {}] } }, output: [], output_node: true };
const classes = {
  descriptions: new Map<string, unknown>([
    ["Painter", painter],
    ["Save", save],
  ]),
};
// Numbers, spaces and escapes that a second writing would not repeat.
const graphText = `{ "1": {"class_type":"Painter", "inputs":{"seed":18446744073709551615,"cfg":7.50,"prompt":"p\\u0065ar","sampler":"euler","tiled":false}},
  "2": {"class_type":"Save","inputs":{"images":["1",0],"name":"x"},"_meta":{"title":"Keep"}},
  "12:3": {"class_type":"Painter","inputs":{"prompt":"hidden","cfg":1e0}}, "4": {"class_type":"Save","inputs":{"images":["12:3",0],"name":"y"}} }`;
const inside = `{"id":"inside","nodes":[{"id":3,"type":"Painter"}],"links":[],"inputs":[]}`;
const editorText = `{"nodes":[{"id":1,"type":"Painter"},{"id":2,"type":"Save"},{"id":12,"type":"inside"},{"id":4,"type":"Save"}],"links":[],
 "definitions":{"subgraphs":[${inside}]}, "extra":{ "ds":{"scale":1.10},"linearData":{"inputs":[[1,"cfg",{"height":18}]],"outputs":[4]}} }`;
const parsed = (text: string | Buffer) => parseJson(Buffer.from(text));
const graph = parsed(graphText);

const text = fc.string({ minLength: 1, maxLength: 20 }).filter((each) => each.isWellFormed());
const shown = { label: text, description: text, group: text, required: fc.constant(true) };
const some = <Members extends object>(model: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }) =>
  fc.record(model, { requiredKeys: [] });
// The graph's own value among them.
const integer = fc
  .oneof(fc.constant(most), fc.bigInt(0n, most))
  .map((value) => (value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value)));
const number = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value));
const choice = fc.uniqueArray(fc.constantFrom("euler", "heun", "lms"), { minLength: 1 });

type Given = Omit<FormInput, "name">;
const settings: readonly fc.Arbitrary<Given>[] = [
  some<Partial<FormInput>>({ ...shown, minimum: integer, default: integer, random: fc.boolean() }).map((rest) => ({
    ...{ node: "1", input: "seed", kind: "integer" as const, ...rest },
  })),
  some<Partial<FormInput>>({
    ...shown,
    maximum: number,
    default: number,
    also: fc.constant([{ node: "12:3", input: "cfg" }]),
  }).map((rest) => ({ ...{ node: "1", input: "cfg", kind: "number" as const, ...rest } })),
  some<Partial<FormInput>>({ ...shown, default: text, multiline: fc.boolean(), maximum: fc.nat(50) }).map((rest) => ({
    ...{ node: "1", input: "prompt", kind: "text" as const, ...rest },
  })),
  some<Partial<FormInput>>({ ...shown, choices: choice, default: fc.constantFrom("euler", "heun") }).map((rest) => ({
    ...{ node: "1", input: "sampler", kind: "choice" as const, ...rest },
  })),
  some<Partial<FormInput>>({ ...shown, default: fc.boolean() }).map((rest) => ({
    ...{ node: "1", input: "tiled", kind: "boolean" as const, ...rest },
  })),
  some<Partial<FormInput>>(shown).map((rest) => ({
    ...{ node: "12:3", input: "prompt", kind: "text" as const, ...rest },
  })),
];
const forms: fc.Arbitrary<WorkForm> = fc
  .record({
    inputs: fc.shuffledSubarray([...settings]).chain((chosen) => fc.tuple(...chosen)),
    outputs: fc.shuffledSubarray(["2", "4"], { minLength: 1 }),
  })
  .map(({ inputs, outputs }) => ({
    inputs: inputs.map((input, at) => ({ name: `in_${at}`, ...input })),
    outputs: outputs.map((node, at) => ({ name: `out_${at}`, node })),
  }))
  .filter((form) => checkForm(form, graph, classes).length === 0);

// As the server does it: what the graph and its classes say already is left out, and filled in again.
function saved(bytes: string | Buffer, form: WorkForm, isEditor: boolean) {
  const document = parsed(bytes);
  return writeDocumentForm(Buffer.from(bytes), document, isEditor, abridgeForm(form, graph, classes));
}

describe("a form saved in a document", () => {
  for (const [format, whole] of [
    ["editor", editorText],
    ["api", graphText],
  ] as const) {
    const isEditor = format === "editor";
    test(`is read back the same, whatever it is and whatever was there before (${format})`, () => {
      fc.assert(
        fc.property(forms, forms, (before, form) => {
          const first = saved(whole, before, isEditor);
          const { document } = saved(first.document, form, isEditor);
          const read = readDocumentForm(parsed(document), isEditor);
          assert.ok(read);
          assert.deepEqual(completeForm(read, graph, classes), completeForm(form, graph, classes));
          assert.ok(!isEditor || isAppModeOf(parsed(document).value, read));
          // The same again changes nothing.
          assert.deepEqual(saved(document, form, isEditor).document, document);
        }),
        { numRuns: 100 },
      );
    });
  }

  test("adds its own member and the app mode to an editor's document, and changes no other byte", () => {
    const form: WorkForm = {
      inputs: [{ name: "cfg", node: "1", input: "cfg", kind: "number", label: "Guidance" }],
      outputs: [{ name: "picture", node: "2" }],
    };
    const { document, problems } = saved(editorText, form, true);
    assert.deepEqual(problems, []);
    const own = `"atelier":{"form":{"inputs":[{"name":"cfg","node":"1","input":"cfg","kind":"number","label":"Guidance"}],"outputs":[{"name":"picture","node":"2"}]}},`;
    const expected = editorText.replace('"extra":{', `"extra":{${own}`).replace('"outputs":[4]', '"outputs":[2]');
    assert.equal(document.toString(), expected);
  });

  test("is in one node of a graph in API format, and jobs do not get it", () => {
    const form: WorkForm = {
      inputs: [{ name: "seed", node: "1", input: "seed", kind: "integer", maximum: most - 1n, default: 5 }],
      outputs: [{ name: "picture", node: "2" }],
    };
    const { document } = saved(graphText, form, false);
    const own = `"atelier":{"form":{"inputs":[{"name":"seed","node":"1","input":"seed","kind":"integer","maximum":18446744073709551614,"default":5}],"outputs":[{"name":"picture","node":"2"}]}},`;
    assert.equal(document.toString(), graphText.replace('"_meta":{', `"_meta":{${own}`));
    assert.deepEqual(withoutDocumentForm(parsed(document)), graph);
    // Another first output leaves it where it is: there is never a second one.
    const moved = saved(document, { ...form, outputs: [{ name: "picture", node: "4" }] }, false).document.toString();
    assert.equal(moved.split('"atelier"').length, 2);
    // A node without _meta gets one, and loses it again.
    const bare = graphText.replace(',"_meta":{"title":"Keep"}', "");
    const made = saved(bare, form, false).document;
    assert.match(made.toString(), /"2": \{"_meta":\{"atelier":\{"form":/);
    assert.deepEqual(withoutDocumentForm(parsed(made)), parsed(bare));
  });

  test("is not read if it is none", () => {
    for (const given of ["null", "[]", '{"inputs":[]}', '{"inputs":[],"outputs":[{"name":"A B","node":"2"}]}']) {
      assert.equal(readDocumentForm(parsed(`{"extra":{"atelier":{"form":${given}}}}`), true), null);
      assert.equal(readDocumentForm(parsed(`{"2":{"_meta":{"atelier":{"form":${given}}}}}`), false), null);
    }
    assert.equal(readDocumentForm(parsed("[]"), true), null);
  });
});

test("an app mode that an editor changed later decides what is in the form, and the form what is known about it", () => {
  const form: WorkForm = {
    inputs: [
      { name: "guidance", node: "1", input: "cfg", kind: "number", label: "Guidance", group: "More", maximum: 20 },
      { name: "words", node: "1", input: "prompt", kind: "text", label: "What to paint" },
      { name: "inner", node: "12:3", input: "prompt", kind: "text", label: "Inside" },
    ],
    outputs: [{ name: "picture", node: "2", label: "The picture" }],
  };
  const { document, problems } = saved(editorText, form, true);
  assert.deepEqual(problems, ["inner is inside a subgraph that does not show it, so the app mode cannot."]);
  const linear = (given: string) =>
    parsed(document.toString().replace(/"linearData":\{.*?\]\]?,"outputs":\[2\]\}/, given));
  const edited = linear('"linearData":{"inputs":[[1,"prompt"],["1","tiled"]],"outputs":[2,4]}');
  const read = readDocumentForm(edited, true);
  assert.ok(read);
  assert.equal(isAppModeOf(edited.value, read), false);
  const { source, form: now } = suggestForm({
    graph,
    document: edited,
    classes,
    known: { form: read, from: "edited" },
  });
  assert.equal(source, "app_mode");
  assert.deepEqual(
    now.inputs.map(({ name, label }) => [name, label]),
    [
      ["words", "What to paint"],
      ["tiled", "Tiled"],
      ["inner", "Inside"],
    ],
  );
  assert.deepEqual(
    now.outputs.map(({ node, label }) => [node, label]),
    [
      ["2", "The picture"],
      ["4", "Picture"],
    ],
  );
  // A removed app mode does not contradict the form.
  const none = linear('"linearData":{}');
  assert.equal(isAppModeOf(none.value, read), true);
});
