import assert from "node:assert/strict";
import { test } from "node:test";
import type { Submission, Submitted } from "../../../capabilities/jobs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { readWhole } from "../../../foundation/json/read-json.ts";
import { aJob, aSurface } from "../jobs.fixture.ts";
import { type SubmitJobDeps, submitJob } from "./submit-job.ts";

const caller = { workspaceId: newId<"workspace">(), keyId: newId<"key">() };
const reference = { __type: "core/ASSET", info: { id: newId<"asset">() } };
const problem = {
  type: "required_input_missing",
  message: "Required input is missing",
  details: "image",
  extra_info: {},
};

// Records every port that was called.
function stage(
  changed: Partial<SubmitJobDeps> = {},
  submitted: (submission: Submission) => Submitted = created,
  knownKeys: readonly string[] = [],
) {
  const asked: string[] = [];
  const submissions: Submission[] = [];
  const deps: SubmitJobDeps = {
    surface: aSurface(),
    egress: { webhooks: { allowHttp: false }, outputs: { allowHttp: false } },
    bodies: { read: async (bytes, options) => readWhole(bytes, options) },
    assets: {
      async find() {
        asked.push("assets");
        return [];
      },
    },
    graphs: {
      isEditorFormat: (value) => isRecord(value) && "nodes" in value,
      *convert() {
        asked.push("convert");
        yield undefined;
        return { ok: false, unknownClasses: ["Foreign"], problems: [] };
      },
      classes: () => assert.fail(),
      check(graph) {
        asked.push("graph");
        const isWrong = isRecord(graph) && "wrong" in graph;
        const wrong = { errors: [problem], dependent_outputs: [], class_type: "X" };
        return isWrong
          ? { ok: false, problem, nodeErrors: { wrong }, nodes: [] }
          : { ok: true, problem: null, nodeErrors: {}, nodes: ["1"] };
      },
      fileInputs: () => [],
    },
    policy: {
      refused({ classes }) {
        asked.push("policy");
        return classes.filter((name) => name === "Banned");
      },
    },
    price() {
      asked.push("price");
      return [{ part: "run", amount: 5n, lowest: 0n, highest: 5n }];
    },
    jobs: {
      async submit(submission) {
        asked.push("submit");
        submissions.push(submission);
        return submitted(submission);
      },
      list: async () => ({ jobs: knownKeys.includes("k") ? [aJob()] : [], nextCursor: null }),
    },
    ...changed,
  };
  const send = (body: object, maxCredits: bigint | null = null) =>
    submitJob(deps, { caller, bytes: Buffer.from(JSON.stringify(body)), idempotencyKey: "k", maxCredits });
  return { asked, submissions, send };
}

const created = (): Submitted => ({ kind: "created", job: aJob() });
const node = (class_type = "X", inputs: object = {}) => ({ class_type, inputs });

async function refusal(promise: Promise<unknown>): Promise<Fault> {
  const thrown = await promise.then(
    () => assert.fail("it was accepted"),
    (reason: unknown) => reason,
  );
  assert.ok(thrown instanceof Fault, String(thrown));
  return thrown;
}

test("the checks come in the decided order, and the first that refuses is the last that is asked", async () => {
  const everythingWrong = { inputs: 1, workflow: { wrong: node("Banned", { image: reference }) } };
  const { inputs: _, ...fieldsRight } = everythingWrong;
  const rows: readonly [object, string, readonly string[]][] = [
    [{ ...everythingWrong, workflow: { nodes: [], links: [] } }, "workflow_format_ui", ["convert"]],
    [everythingWrong, "validation_failed", []],
    [fieldsRight, "missing_asset", ["assets"]],
    [{ workflow: { wrong: node("Banned") } }, "validation_failed", ["graph", "policy"]],
    [{ workflow: { 1: node("Banned") } }, "validation_failed", ["graph", "policy"]],
  ];
  for (const [body, code, ports] of rows) {
    const { asked, send } = stage();
    assert.equal((await refusal(send(body))).code, code, JSON.stringify(body));
    assert.deepEqual(asked, ports);
  }
  const { asked, send, submissions } = stage();
  const { isReplay } = await send({ workflow: { 1: node() }, metadata: "m", extra_data: { api_key_service: "s" } });
  assert.equal(isReplay, false);
  assert.deepEqual(asked, ["graph", "policy", "price", "submit"]);
  const [submission] = submissions;
  assert.deepEqual(
    [
      submission?.apiKeyId,
      submission?.workspaceId,
      submission?.idempotencyKey,
      submission?.nodesTotal,
      submission?.holds,
      submission?.metadata,
    ],
    [caller.keyId, caller.workspaceId, "k", 1, [{ part: "run", amount: 5n }], "m"],
  );
  assert.deepEqual(
    [String(submission?.workflow), submission?.extraData],
    ['{"1":{"class_type":"X","inputs":{}}}', { api_key_service: "s" }],
  );
});

test("a graph that cannot run and classes that may not are refused with their nodes", async () => {
  const wrong = await refusal(stage().send({ workflow: { wrong: node() } }));
  assert.match(wrong.message, /^Node wrong cannot run: Required input is missing\.$/);
  assert.deepEqual(wrong.details, {
    node_errors: { wrong: { errors: [problem], dependent_outputs: [], class_type: "X" } },
    problem,
  });
  const banned = await refusal(stage().send({ workflow: { 1: node(), 7: node("Banned"), 8: node("Banned") } }));
  assert.ok(isRecord(banned.details) && isRecord(banned.details["node_errors"]));
  assert.deepEqual(Object.keys(banned.details["node_errors"]), ["7", "8"]);
  const both = await refusal(stage().send({ workflow: { wrong: node("Banned"), 8: node("Banned") } }));
  assert.match(both.message, /^Node 8 cannot run: This node class may not run here\. 2 nodes have problems\.$/);
  assert.ok(isRecord(both.details) && isRecord(both.details["node_errors"]));
  assert.deepEqual(Object.keys(both.details["node_errors"]), ["8", "wrong"]);
  assert.match(JSON.stringify(both.details["node_errors"]["wrong"]), /class_not_allowed/);
});

test("each refusal of the queue has its own code", async () => {
  const missing = newId<"asset">();
  const rows: readonly [Submitted, string, number, number | undefined][] = [
    [{ kind: "key_reused" }, "idempotency_key_reuse", 422, undefined],
    [{ kind: "queue_full", retryAfterSeconds: 7 }, "queue_full", 429, 7],
    [{ kind: "no_credit", available: 1n }, "insufficient_credits", 402, undefined],
    [{ kind: "missing_assets", assetIds: [missing] }, "missing_asset", 422, undefined],
  ];
  for (const [submitted, code, status, seconds] of rows) {
    const fault = await refusal(stage({}, () => submitted).send({ workflow: { 1: node() } }));
    assert.deepEqual([fault.code, fault.status, fault.retryAfterSeconds], [code, status, seconds]);
  }
  const replay = await stage({}, () => ({ kind: "replayed", job: aJob() })).send({ workflow: { 1: node() } });
  assert.equal(replay.isReplay, true);
});

test("what could cost more than the caller allows is refused before it is submitted, unless its key is known", async () => {
  const body = { workflow: { 1: node() } };
  const strict = stage();
  const fault = await refusal(strict.send(body, 4n));
  assert.deepEqual([fault.code, fault.status], ["price_above_limit", 422]);
  assert.match(fault.message, /up to 0\.000005 credits, and X-Service-Max-Credits allows 0\.000004/);
  assert.deepEqual(fault.details, {
    highest: "0.000005",
    limit: "0.000004",
    nodes: [{ node_id: "run", highest: "0.000005" }],
  });
  assert.deepEqual(strict.asked, ["graph", "policy", "price"]);
  assert.equal((await stage().send(body, 5n)).isReplay, false);
  const known = stage({}, () => ({ kind: "replayed", job: aJob() }), ["k"]);
  assert.equal((await known.send(body, 0n)).isReplay, true);
});
