import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { graphText } from "../../../capabilities/graphs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { FaultCode } from "../../../foundation/fault-codes.ts";
import { readWhole } from "../../../foundation/json/read-json.ts";
import { graphReading, readSubmission } from "./read-submission.ts";

const deps = {
  egress: { webhooks: { allowHttp: false }, outputs: { allowHttp: false } },
};
const workflow = { 1: { class_type: "X", inputs: { seed: 1 } } };
const read = (body: unknown) =>
  readSubmission(deps, readWhole(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)), graphReading));

function refusal(body: unknown): readonly [FaultCode, number, string] {
  try {
    read(body);
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown));
    return [thrown.code, thrown.status, thrown.message];
  }
  return assert.fail(`it was accepted: ${JSON.stringify(body)}`);
}

test("what is left out has its default, what is given is taken", () => {
  const bare = read({ workflow });
  assert.deepEqual([bare.metadata, bare.priority, bare.webhookUrl, bare.extraData], [null, 0, null, null]);
  const full = read({
    workflow,
    metadata: "é",
    priority: -100,
    webhook_url: "https://hooks.example.com/x",
    extra_data: { api_key_service: "service-x" },
    inputs: null,
    unknown: 1,
  });
  assert.deepEqual(
    [full.metadata, full.priority, full.webhookUrl, full.extraData],
    ["é", -100, "https://hooks.example.com/x", { api_key_service: "service-x" }],
  );
  assert.equal(read({ workflow, extra_data: {} }).extraData, null);
});

test("no JSON, broken JSON and JSON that two readers would read differently are 400", () => {
  for (const text of ["", "{", "nonsense", "[]", "7", "null", '{"workflow":{},"workflow":{}}', '{"workflow":1e999}']) {
    assert.equal(refusal(text)[1], 400, text);
  }
  assert.equal(refusal(`{"workflow":${"[".repeat(65)}${"]".repeat(65)}}`)[1], 400);
});

test("a wrong field is 422 and named; wrong extra_data is 400 and its content never shown", () => {
  const wrong: readonly [string, object][] = [
    ["workflow", {}],
    ["workflow", { workflow: null }],
    ["workflow", { workflow: [] }],
    ["workflow", { workflow: "x" }],
    ["inputs", { workflow, inputs: {} }],
    ["inputs", { workflow, inputs: 0 }],
    ["metadata", { workflow, metadata: 7 }],
    ["metadata", { workflow, metadata: null }],
    ["metadata", { workflow, metadata: "é".repeat(513) }],
    ["metadata", { workflow, metadata: "a\0b" }],
    ["priority", { workflow, priority: 101 }],
    ["priority", { workflow, priority: -101 }],
    ["priority", { workflow, priority: 0.5 }],
    ["priority", { workflow, priority: "1" }],
    ["webhook_url", { workflow, webhook_url: "http://hooks.example.com" }],
    ["webhook_url", { workflow, webhook_url: "https://127.0.0.1/" }],
    ["webhook_url", { workflow, webhook_url: "https://[::1]/" }],
    ["webhook_url", { workflow, webhook_url: "https://localhost/" }],
    ["webhook_url", { workflow, webhook_url: "https://user:pw@hooks.example.com/" }],
    ["webhook_url", { workflow, webhook_url: "https://hooks.example.com:8443/" }],
    ["webhook_url", { workflow, webhook_url: "javascript:alert(1)" }],
    ["webhook_url", { workflow, webhook_url: `https://hooks.example.com/${"x".repeat(3000)}` }],
    ["webhook_url", { workflow, webhook_url: 7 }],
  ];
  for (const [field, body] of wrong) {
    const [code, status, message] = refusal(body);
    assert.deepEqual([code, status], ["validation_failed", 422], JSON.stringify(body));
    assert.ok(message.startsWith(`${field} `), message);
  }
  const secret = "service-very-secret";
  for (const extra_data of [
    null,
    [],
    "x",
    { other: secret },
    { api_key_service: secret, other: 1 },
    { api_key_service: null },
    { api_key_service: [secret] },
    { api_key_service: "" },
    { api_key_service: secret.repeat(300) },
  ]) {
    const [code, status, message] = refusal({ workflow, extra_data });
    assert.deepEqual([code, status], ["invalid_request", 400], JSON.stringify(extra_data));
    assert.ok(!message.includes(secret));
  }
});

test("the fingerprint knows the value and not the spelling, nothing of extra_data, and every digit of an integer", () => {
  const print = (text: string) => read(text).fingerprint.toString("hex");
  const one = print('{"workflow":{"1":{"class_type":"X","inputs":{"seed":18446744073709551615}}},"priority":1}');
  const same = print(
    '{ "priority": 1.0, "extra_data": {"api_key_service":"k"}, "workflow": {"1":{"inputs":{"seed":18446744073709551615},"class_type":"X"}} }',
  );
  const other = print('{"workflow":{"1":{"class_type":"X","inputs":{"seed":18446744073709551614}}},"priority":1}');
  assert.equal(one, same);
  assert.notEqual(one, other);
});

test("the graph is kept with every digit of its integers", () => {
  const text =
    '{"workflow":{"a~/b":{"class_type":"X","inputs":{"seed":18446744073709551615,"list":[9007199254740993]}}}}';
  const { workflow: graph, exactIntegers } = read(text);
  const kept = graphText(graph, exactIntegers).toString();
  assert.match(kept, /"seed":18446744073709551615/);
  assert.match(kept, /"list":\[9007199254740993\]/);
});

test("any body is read or refused with a Fault", () => {
  const member = fc.oneof(fc.json({ maxDepth: 3 }), fc.constantFrom('"x"', "null", "{}", "[]", "-1", "1e3"));
  const names = ["workflow", "metadata", "priority", "webhook_url", "extra_data", "inputs", "__proto__", "x"];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), member), { maxLength: 6 }), (members) => {
      const text = `{${members.map(([name, value]) => `"${name}":${value}`).join(",")}}`;
      try {
        read(text);
      } catch (thrown) {
        assert.ok(thrown instanceof Fault && [400, 422].includes(thrown.status), String(thrown));
      }
    }),
    { numRuns: 500 },
  );
});
