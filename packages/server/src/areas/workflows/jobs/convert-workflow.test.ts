import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { readWhole } from "../../../foundation/json/read-json.ts";
import { convertWorkflow, inApiFormat } from "./convert-workflow.ts";
import { graphReading } from "./read-submission.ts";

// An engine whose editor graphs are lists of nodes with their widgets.
const graphs = {
  isEditorFormat: (value: unknown) => isRecord(value) && Array.isArray(value["nodes"]),
  *convert(value: unknown) {
    yield undefined;
    const nodes: unknown[] = isRecord(value) && Array.isArray(value["nodes"]) ? value["nodes"] : [];
    if (nodes.length === 0)
      return { ok: false, unknownClasses: ["Foreign"], problems: ["Node 1: no such class."] } as const;
    const graph = Object.fromEntries(nodes.map((node, at) => [String(at), { class_type: "X", inputs: { node } }]));
    return { ok: true, graph } as const;
  },
};
const rest = () => undefined;
const convert = async (text: string) => convertWorkflow(graphs, parseJson(Buffer.from(text)), rest);
const submitted = (text: string) => inApiFormat(graphs, readWhole(Buffer.from(text), graphReading), rest);
const refusal = async (text: string, ask: (text: string) => Promise<unknown> = convert) => {
  try {
    await ask(text);
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown));
    return { code: thrown.code, status: thrown.status, details: thrown.details };
  }
  return assert.fail("it was accepted");
};

test("large integers come out digit by digit", async () => {
  const text = await convert('{"workflow":{"nodes":[{"widgets":[18446744073709551615,7,"x"]}],"links":[]}}');
  assert.equal(
    text,
    '{"workflow":{"0":{"class_type":"X","inputs":{"node":{"widgets":[18446744073709551615,7,"x"]}}}},"format":"api"}',
  );
});

test("an unconvertible graph is refused with its classes; anything but an editor export is refused too", async () => {
  assert.deepEqual(await refusal('{"workflow":{"nodes":[],"links":[]}}'), {
    code: "validation_failed",
    status: 422,
    details: { unknown_classes: ["Foreign"], problems: ["Node 1: no such class."] },
  });
  for (const text of ['{"workflow":{}}', '{"workflow":null}', "{}"]) assert.equal((await refusal(text)).status, 422);
  for (const text of ["", "{", "[]", "1"]) assert.equal((await refusal(text)).status, 400);
});

test("a submission in the editor's format goes on in API format, with its own fingerprint and every digit", async () => {
  const text =
    '{"workflow":{"nodes":[{"seed":[18446744073709551615,1]},{"~/":9007199254740993}],"links":[]},"priority":3}';
  const sent = readWhole(Buffer.from(text), graphReading);
  const read = await submitted(text);
  assert.deepEqual(read.hash, sent.hash);
  assert.deepEqual(
    [...read.exactIntegers],
    [
      ["/workflow/0/inputs/node/seed/0", "18446744073709551615"],
      ["/workflow/1/inputs/node/~0~1", "9007199254740993"],
    ],
  );
  const { value } = read;
  assert.ok(isRecord(value) && value["priority"] === 3);
  assert.deepEqual(Object.keys(Object(value["workflow"])), ["0", "1"]);
});

test("a submission that cannot be converted is refused in its own code; one in API format is not touched", async () => {
  assert.deepEqual(await refusal('{"workflow":{"nodes":[]},"inputs":1,"metadata":7}', submitted), {
    code: "workflow_format_ui",
    status: 422,
    details: { unknown_classes: ["Foreign"], problems: ["Node 1: no such class."] },
  });
  const sent = readWhole(Buffer.from('{"workflow":{"1":{}}}'), graphReading);
  assert.equal(await inApiFormat(graphs, sent, rest), sent);
});
