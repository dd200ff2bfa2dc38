import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import type { FormInput } from "./work-form.ts";
import { appModeOf, writeAppMode } from "./write-app-mode.ts";

const input = (node: string, name: string, rest: Partial<FormInput> = {}): FormInput => ({
  name: "x",
  node,
  input: name,
  kind: "text",
  ...rest,
});
const written = (text: string, inputs: readonly FormInput[], outputs: readonly string[] = ["2"]) => {
  const form = { inputs, outputs: outputs.map((node, at) => ({ name: `o${at}`, node })) };
  const bytes = Buffer.from(text);
  const { value } = parseJson(bytes, { keysMax: Number.POSITIVE_INFINITY, vast: "keep", halves: "keep" });
  const mode = appModeOf(value, form);
  return { text: writeAppMode(bytes, mode).toString(), problems: mode.problems };
};

describe("a form in an editor's document", () => {
  const subgraph = `{"id":"inside","inputs":[{"name":"words","linkIds":[1]}],"nodes":[{"id":3,"type":"Text","inputs":[{"name":"text","link":1}]}],"links":[{"id":1,"origin_id":-10,"origin_slot":0,"target_id":3,"target_slot":0}]}`;
  const whole = `{ "nodes": [{"id":12,"type":"inside"},{"id":"a","type":"Save"},{"id":2,"type":"Save","seed":18446744073709551615}],
  "definitions":{"subgraphs":[${subgraph}]} , "extra" : { "ds": {"scale":1.10} } }`;

  test("is written as the app mode writes it, and no other byte changes", () => {
    const { text, problems } = written(
      whole,
      [input("12:3", "text"), input("2", "name", { description: "Where." })],
      ["2", "a"],
    );
    assert.deepEqual(problems, []);
    const data = '"linearData":{"inputs":[[12,"words"],[2,"name",{"description":"Where."}]],"outputs":[2,"a"]},';
    assert.equal(text, whole.replace('"extra" : {', `"extra" : {${data}`));
  });

  test("leaves out what a subgraph does not show, and says so", () => {
    const { text, problems } = written(whole, [input("12:3", "hidden")]);
    assert.deepEqual(problems, ["x is inside a subgraph that does not show it, so the app mode cannot."]);
    assert.match(text, /"linearData":\{"inputs":\[\],"outputs":\[2\]\}/);
  });

  test("says what one widget cannot set", () => {
    const { text, problems } = written(whole, [input("2", "name", { also: [{ node: "a", input: "name" }] })]);
    assert.deepEqual(problems, ["x sets several nodes; the app mode sets the first."]);
    assert.match(text, /"inputs":\[\[2,"name"\]\]/);
  });

  test("keeps entries that mean the same place as they are, with their settings", () => {
    const kept = [
      ["0190a5e0-0000-4000-8000-000000000001:2:name", "name", { height: 90 }],
      ["3", "text", { height: 40, description: "Old." }],
      [9, "gone"],
    ];
    const before = `{"nodes":[{"id":2,"type":"Save"}],"extra":{"linearData":{"inputs":${JSON.stringify(kept)},"outputs":[7],"more":18446744073709551615}}}`;
    const { text } = written(before, [input("12:3", "text", { description: "New." }), input("2", "name")]);
    assert.match(text, /"more":18446744073709551615/);
    assert.deepEqual(JSON.parse(text).extra.linearData, {
      inputs: [["3", "text", { height: 40, description: "New." }], kept[0]],
      outputs: [2],
      more: 2 ** 64,
    });
  });

  test("goes into a document without extra, and into one whose extra is no object", () => {
    for (const extra of ["", ',"extra":null', ',"extra":[]']) {
      const { text } = written(`{"nodes":[{"id":2,"type":"Save"}]${extra}}`, []);
      assert.deepEqual(JSON.parse(text), {
        nodes: [{ id: 2, type: "Save" }],
        extra: { linearData: { inputs: [], outputs: [2] } },
      });
    }
  });

  test("whatever the document holds is still in it, byte for byte", () => {
    const anything = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), anything),
        fc.dictionary(fc.string(), anything),
        fc.nat(3),
        (whole, extra, indent) => {
          const { linearData: _, ...others } = extra;
          const before = JSON.stringify({ ...whole, extra: others, last: 1 }, null, indent).replace(
            /"last": ?1/,
            '"last":18446744073709551615',
          );
          const { text } = written(before, []);
          const data = '"linearData":{"inputs":[],"outputs":["2"]}';
          assert.equal(text.replace(`${data},`, "").replace(data, ""), before);
          assert.ok(parseJson(Buffer.from(text), { halves: "keep" }));
        },
      ),
    );
  });
});
