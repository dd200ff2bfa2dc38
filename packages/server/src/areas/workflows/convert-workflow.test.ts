import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { parseJson } from "../../foundation/json-bytes.ts";
import { convertWorkflow } from "./convert-workflow.ts";
import { isRecord } from "./json-record.ts";

// An engine whose editor graphs are lists of nodes with their widgets.
const graphs = {
  isEditorFormat: (value: unknown) => isRecord(value) && Array.isArray(value["nodes"]),
  convert(value: unknown) {
    const nodes: unknown[] = isRecord(value) && Array.isArray(value["nodes"]) ? value["nodes"] : [];
    if (nodes.length === 0)
      return { ok: false, unknownClasses: ["Foreign"], problems: ["Node 1: no such class."] } as const;
    const graph = Object.fromEntries(nodes.map((node, at) => [String(at), { class_type: "X", inputs: { node } }]));
    return { ok: true, graph } as const;
  },
};
const convert = (text: string) => convertWorkflow(graphs, parseJson(Buffer.from(text)));
const refusal = (text: string) => {
  try {
    convert(text);
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown));
    return { status: thrown.status, details: thrown.details };
  }
  return assert.fail("it was accepted");
};

test("large integers come out digit by digit", () => {
  const text = convert('{"workflow":{"nodes":[{"widgets":[18446744073709551615,7,"x"]}],"links":[]}}');
  assert.equal(
    text,
    '{"workflow":{"0":{"class_type":"X","inputs":{"node":{"widgets":[18446744073709551615,7,"x"]}}}},"format":"api"}',
  );
});

test("what cannot be converted is told with its classes; what is no editor's export is told as well", () => {
  assert.deepEqual(refusal('{"workflow":{"nodes":[],"links":[]}}'), {
    status: 422,
    details: { unknown_classes: ["Foreign"], problems: ["Node 1: no such class."] },
  });
  for (const text of ['{"workflow":{}}', '{"workflow":null}', "{}"]) assert.equal(refusal(text).status, 422);
  for (const text of ["", "{", "[]", "1"]) assert.equal(refusal(text).status, 400);
});
