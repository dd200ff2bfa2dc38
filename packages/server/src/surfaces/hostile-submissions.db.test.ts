// For everything submitted here: a typed v2 error, no job, no held asset, and the next caller is served as if nothing had
// happened.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { workflowErrorStatuses } from "@atelier/contract";
import { sql } from "../foundation/database/index.ts";
import { newId } from "../foundation/ids.ts";
import { aGraph, jsonType, submitTo } from "./jobs.fixture.ts";
import { aClient, aForm, aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

let house: House;
let client: Client;
let foreignAsset: string;
before(async () => {
  house = await aHouse({ policy: { refused: ({ classes }) => classes.filter((name) => name === "ImageInvert") } });
  client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
  const stranger = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.stranger.key });
  const form = aForm("theirs", { file_path: "theirs.png" });
  foreignAsset = textOf((await stranger.ask("/api/v2/assets", { method: "POST", body: form })).json()["id"]);
  await stranger.close();
});
after(async () => {
  await client.close();
  await house.close();
});

async function count(): Promise<number> {
  const [row] = await house.db.query<{ jobs: string; holds: string; keys: string }>(sql`
    select (select count(*) from jobs) as jobs, (select count(*) from asset_holds) as holds,
      (select count(*) from job_keys) as keys`);
  return Number(row?.jobs) + Number(row?.holds) + Number(row?.keys);
}

const save = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } };
const empty = { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } };
const graph = (changed: Record<string, unknown>) => ({ workflow: { 1: empty, 2: save, ...changed } });
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

type Row = readonly [what: string, body: string | object, status: number, code: keyof typeof workflowErrorStatuses];

// What is reported about a node: which one, and the code.
type NodeRow = readonly [what: string, body: object, nodeId: string, type: string];

const wrongBodies: readonly Row[] = [
  ["nothing", "", 400, "invalid_request"],
  ["no JSON", "workflow=1", 400, "invalid_request"],
  ["half of it", '{"workflow":{', 400, "invalid_request"],
  ["a key twice", '{"workflow":{},"workflow":{}}', 400, "invalid_request"],
  ["a key twice in another spelling", '{"workflow":{},"\\u0077orkflow":{}}', 400, "invalid_request"],
  ["half of a surrogate pair", '{"workflow":{"\\ud800":1}}', 400, "invalid_request"],
  ["a number beyond all bounds", '{"workflow":{"1":1e999}}', 400, "invalid_request"],
  ["a list", "[]", 400, "invalid_request"],
  ["null", "null", 400, "invalid_request"],
  ["a deep chain of objects", `{"workflow":${nested(80)}}`, 400, "invalid_request"],
  ["a million open brackets", "[".repeat(1_000_000), 400, "invalid_request"],
  ["no workflow", {}, 422, "invalid_workflow"],
  ["a workflow that is a list", { workflow: [] }, 422, "invalid_workflow"],
  ["an empty workflow", { workflow: {} }, 422, "invalid_workflow"],
  ["inputs", { ...graph({}), inputs: { a: 1 } }, 422, "invalid_workflow"],
  ["an editor's file", { workflow: { nodes: [], links: [] } }, 422, "workflow_format_ui"],
  ["metadata of 1025 bytes", { ...graph({}), metadata: `${"é".repeat(512)}x` }, 422, "invalid_workflow"],
  ["a priority beyond", { ...graph({}), priority: 101 }, 422, "invalid_workflow"],
  ["a webhook on this machine", { ...graph({}), webhook_url: "https://127.0.0.1/" }, 422, "invalid_workflow"],
  ["a webhook in the neighbourhood", { ...graph({}), webhook_url: "https://10.0.0.1/" }, 422, "invalid_workflow"],
  [
    "a webhook at the metadata service",
    { ...graph({}), webhook_url: "https://169.254.169.254/" },
    422,
    "invalid_workflow",
  ],
  ["unknown extra_data", { ...graph({}), extra_data: { api_key: "x" } }, 400, "invalid_request"],
  ["a credential that is null", { ...graph({}), extra_data: { api_key_service: null } }, 400, "invalid_request"],
  ["nodes that are numbers", { workflow: { 1: 1, 2: 2 } }, 422, "invalid_workflow"],
  ["a node without a class", { workflow: { 1: { inputs: {} } } }, 422, "invalid_workflow"],
  ["a node without inputs", { workflow: { 1: { class_type: "EmptyImage" } } }, 422, "invalid_workflow"],
  ["nothing that would be saved", { workflow: { 1: empty } }, 422, "invalid_workflow"],
  [
    "a node that every object has",
    '{"workflow":{"__proto__":{"class_type":"SaveImage","inputs":{}},"constructor":{"class_type":"X","inputs":{}}}}',
    422,
    "invalid_workflow",
  ],
  [
    "a malformed reference",
    graph({ 3: { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET" } } } }),
    422,
    "missing_asset",
  ],
  [
    "a reference in a list",
    graph({ 3: { class_type: "X", inputs: { a: [[{ __type: "core/ASSET", info: 1 }]] } } }),
    422,
    "missing_asset",
  ],
];

const wrongNodes: readonly NodeRow[] = [
  ["an unknown class", graph({ 7: { class_type: "NoSuchNode", inputs: {} } }), "7", "invalid_prompt"],
  ["a class that every object has", graph({ 7: { class_type: "toString", inputs: {} } }), "7", "invalid_prompt"],
  ["a missing input", graph({ 1: { class_type: "EmptyImage", inputs: { width: 8 } } }), "1", "required_input_missing"],
  [
    "a value of another type",
    graph({ 1: { ...empty, inputs: { ...empty.inputs, width: "wide" } } }),
    "1",
    "invalid_input_type",
  ],
  [
    "a value below its range",
    graph({ 1: { ...empty, inputs: { ...empty.inputs, width: 0 } } }),
    "1",
    "value_smaller_than_min",
  ],
  [
    "a canvas of 10^9 pixels",
    graph({ 1: { ...empty, inputs: { ...empty.inputs, width: 1e9 } } }),
    "1",
    "value_bigger_than_max",
  ],
  ["a dangling link", graph({ 2: { ...save, inputs: { ...save.inputs, images: ["9", 0] } } }), "2", "bad_linked_input"],
  [
    "a link to an output that is not there",
    graph({ 2: { ...save, inputs: { ...save.inputs, images: ["1", 7] } } }),
    "2",
    "bad_linked_input",
  ],
  [
    "a class that may not run",
    graph({ 3: { class_type: "ImageInvert", inputs: { image: ["1", 0] } } }),
    "3",
    "class_not_allowed",
  ],
];

function cycle(nodes: number) {
  const ring = Array.from({ length: nodes }, (_, at) => [
    `c${at}`,
    { class_type: "ImageInvert", inputs: { image: [`c${(at + 1) % nodes}`, 0] } },
  ]);
  return {
    workflow: { ...Object.fromEntries(ring), save: { ...save, inputs: { ...save.inputs, images: ["c0", 0] } } },
  };
}

describe("a hostile submission", { timeout: 900_000 }, () => {
  let stored = 0;
  before(async () => {
    stored = await count();
  });
  afterEach(async () => {
    assert.equal(await count(), stored, "nothing was stored");
    assert.equal((await client.ask("/api/v2/jobs")).status, 200, "the next caller is served");
  });

  for (const [what, body, status, code] of wrongBodies) {
    test(`${what} is ${status} ${code}`, async () => {
      const answer = await submitTo(client, body, { "idempotency-key": `key-${newId()}` });
      assert.deepEqual([answer.status, errorCode(answer)], [status, code], answer.text);
      assert.equal(workflowErrorStatuses[code], status);
    });
  }

  for (const [what, body, nodeId, type] of wrongNodes) {
    test(`${what} is refused with its node`, async () => {
      const answer = await submitTo(client, body);
      assert.deepEqual([answer.status, errorCode(answer)], [422, "invalid_workflow"], answer.text);
      const errors = toRecord(toRecord(toRecord(answer.json()["error"])["details"])["node_errors"]);
      const node = toRecord(errors[nodeId]);
      assert.ok(Array.isArray(node["errors"]), answer.text);
      assert.ok(
        node["errors"].some((error) => toRecord(error)["type"] === type),
        answer.text,
      );
    });
  }

  test("a cycle, short or long, is refused without hanging", async () => {
    for (const nodes of [1, 2, 2000]) {
      const answer = await submitTo(client, cycle(nodes));
      assert.deepEqual([answer.status, errorCode(answer)], [422, "invalid_workflow"]);
      assert.match(answer.text, /dependency_cycle/);
    }
  });

  test("a graph with too many nodes is refused, and a body with too many bytes is 413", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [String(at), empty]));
    const answer = await submitTo(client, { workflow: many });
    assert.deepEqual([answer.status, errorCode(answer)], [422, "invalid_workflow"]);
    assert.match(answer.text, /graph_too_large/);
    const large = await submitTo(client, `{"workflow":"${"x".repeat(10 * 1024 * 1024)}"}`);
    assert.deepEqual([large.status, errorCode(large)], [413, "payload_too_large"]);
  });

  test("another workspace's asset is reported missing like an unknown one", async () => {
    const load = (id: string) =>
      graph({ 3: { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id } } } } });
    const texts: string[] = [];
    for (const id of [foreignAsset, newId()]) {
      const answer = await submitTo(client, load(id));
      assert.deepEqual([answer.status, errorCode(answer)], [422, "missing_asset"]);
      assert.deepEqual(toRecord(toRecord(answer.json()["error"])["details"])["missing_ids"], [id]);
      texts.push(answer.text.replaceAll(id, "the id"));
    }
    assert.equal(texts[0], texts[1]);
    const byName = await submitTo(
      client,
      graph({
        3: { class_type: "LoadImage", inputs: { image: "theirs.png" } },
        4: { ...save, inputs: { ...save.inputs, images: ["3", 0] } },
      }),
    );
    assert.deepEqual([byName.status, errorCode(byName)], [422, "invalid_workflow"], "their names are no names of ours");
  });

  test("a key of other characters, too long or sent twice is 400; other content types and encodings are 400", async () => {
    for (const key of ["", "a b", "k".repeat(256), "schlüssel"]) {
      const answer = await submitTo(
        client,
        { workflow: aGraph() },
        { "idempotency-key": Buffer.from(key).toString("latin1") },
      );
      assert.deepEqual([answer.status, errorCode(answer)], [400, "invalid_request"], key);
    }
    for (const headers of [{ "content-type": "text/plain" }, { ...jsonType, "content-encoding": "gzip" }]) {
      const answer = await submitTo(client, { workflow: aGraph() }, headers);
      assert.deepEqual([answer.status, errorCode(answer)], [400, "invalid_request"], JSON.stringify(headers));
    }
  });

  test("a submitted secret never comes back", async () => {
    const secret = "service-canary-in-extra-data";
    const refused = await submitTo(client, {
      ...graph({ 7: { class_type: "No", inputs: {} } }),
      extra_data: { api_key_service: secret },
    });
    assert.equal(refused.status, 422);
    assert.ok(!refused.text.includes(secret));
  });
});

test("without the credential nothing is read, and a stranger cannot see a job", async () => {
  const made = await submitTo(client, { workflow: aGraph(), extra_data: { api_key_service: "service-canary" } });
  assert.equal(made.status, 201, made.text);
  assert.ok(!made.text.includes("canary"));
  const id = textOf(made.json()["id"]);
  const stranger = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.stranger.key });
  const dedicated = aClient(
    `http://127.0.0.1:${house.deploymentPort}`,
    { "x-api-key": house.key },
    house.deploymentMount,
  );
  const targets: readonly ["GET" | "POST", (id: string) => string][] = [
    ["GET", (job) => `/api/v2/jobs/${job}`],
    ["GET", (job) => `/api/v2/jobs/${job}/workflow`],
    ["GET", (job) => `/api/v2/jobs/${job}/preview`],
    ["GET", (job) => `/api/v2/jobs/${job}/events`],
    ["POST", (job) => `/api/v2/jobs/${job}/cancel`],
    ["POST", (job) => `/api/jobs/${job}/cancel`],
  ];
  for (const [method, target] of targets) {
    assert.equal((await client.ask(target(id), { method }, {})).status, 401);
    for (const other of [stranger, dedicated]) {
      const [theirs, nobodys] = [await other.ask(target(id), { method }), await other.ask(target(newId()), { method })];
      assert.deepEqual([theirs.status, theirs.text], [404, nobodys.text], target(id));
    }
  }
  const many = { method: "POST", body: JSON.stringify({ job_ids: [id] }), headers: jsonType } as const;
  assert.equal((await stranger.ask("/api/jobs/cancel", many)).status, 404);
  assert.deepEqual((await stranger.ask("/api/v2/jobs")).json()["data"], []);
  assert.equal((await client.ask(`/api/v2/jobs/${id}`)).json()["status"], "queued", "nobody has touched it");
  assert.ok(!(await client.ask(`/api/v2/jobs/${id}/workflow`)).text.includes("canary"));
  await Promise.all([stranger.close(), dedicated.close()]);
});
