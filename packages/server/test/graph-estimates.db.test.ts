// What a graph costs, said before it runs.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GraphEstimate, JobCharges } from "@atelier/contract";
import fc from "fast-check";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { type AppAnswer, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { Draw } from "./support/model-inputs.ts";
import { aKey, bucketOf, inLanes } from "./support/router-calls.ts";
import { openInvocations } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let narrow: Tenant;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({
    env: { ATELIER_BOOTSTRAP_CREDITS: "1000000", ATELIER_JOB_SECOND_CREDITS: "0.05", ATELIER_ENGINE_SLOTS: "2" },
  });
  narrow = await addTenant(app, "narrow");
  await raiseRates(app, narrow.workspaceId);
  const entitled = await app.call({
    method: "PUT",
    path: `/admin/workspaces/${narrow.workspaceId}/models`,
    headers: bearer(app.adminToken),
    body: { router_enabled: true, entitlements: ["sandbox/text-1"] },
  });
  assert.equal(entitled.status, 200, entitled.text);
});
after(() => apps.close());
const post = (path: string, body: unknown, headers: Record<string, string> = {}, key = app.key) =>
  app.call({
    method: "POST",
    path,
    headers: { ...bearer(key), "content-type": "application/json", ...headers },
    body,
  });
const estimateGraph = (body: unknown, key = app.key) => post("/account/estimates", body, {}, key);
const submit = (body: unknown, headers: Record<string, string> = {}) => post("/api/v2/jobs", body, headers);
const limit = (credits: string) => ({ "x-service-max-credits": credits });
const credits = (text: unknown): bigint => parseCredits(String(text)) ?? assert.fail(String(text));

// Everything that money and work leave behind.
async function traces() {
  const [row] = await app.database.query<Record<string, unknown>>(sql`
    select (select jsonb_agg(w order by w.workspace_id) from wallets w) as wallets,
      (select count(*) from journal)::int as lines, (select count(*) from calls)::int as calls,
      (select count(*) from reservations)::int as reservations, (select count(*) from jobs)::int as jobs`);
  return { ...row, open: (await openInvocations(app.database)).length, runs: await apps.runs() };
}

async function leavingNoTrace<Made>(work: () => Promise<Made>): Promise<Made> {
  const before = await traces();
  const made = await work();
  assert.deepEqual(await traces(), before);
  return made;
}

type Node = { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } };
const node = (class_type: string, inputs: Record<string, unknown>): Node => ({ class_type, inputs });
const asking = (inputs: Record<string, unknown> = {}): Node =>
  node("AtelierModelImage", {
    model: "sandbox/image-1-queued",
    prompt: "x",
    width: 128,
    height: 64,
    seed: 1,
    parameters: '{"response_format": "b64_json", "simulate_seconds": 0}',
    ...inputs,
  });
const saving = (source: string): Node => node("SaveImage", { images: [source, 0], filename_prefix: "x" });
const graph = () => ({ 1: { ...asking(), _meta: { title: "The sea" } }, 2: saving("1") });

describe("estimate of a graph", () => {
  test("gives, per node and in sum, what a submission holds; its running time is the part run", async () => {
    const answer = await leavingNoTrace(() => estimateGraph({ workflow: graph() }));
    assert.equal(answer.status, 200, answer.text);
    const { expected_seconds: _, ...estimate } = requireValid(GraphEstimate, answer.json());
    const nodes = estimate.nodes.map(({ expected_seconds: _unused, ...one }) => one);
    // 600 seconds at 0.05, and 128 × 64 pixels.
    assert.deepEqual(
      { ...estimate, nodes },
      {
        credits: { lowest: "0", highest: "30.034571" },
        hold: "30.034571",
        is_exact: false,
        nodes: [
          {
            node_id: "1",
            class_type: "AtelierModelImage",
            title: "The sea",
            credits: { lowest: "0", highest: "0.034571" },
            is_exact: false,
          },
          { node_id: "run", credits: { lowest: "0", highest: "30" }, is_exact: false },
        ],
      },
    );
  });

  test("is refused as a submission is, and leaves nothing behind", async () => {
    const rows: readonly [unknown, number, string][] = [
      ["{", 400, "invalid_request"],
      [{}, 422, "invalid_workflow"],
      [{ workflow: { 1: node("Nowhere", {}) } }, 422, "invalid_workflow"],
      [{ workflow: { 1: asking({ model: "sandbox/nothing" }), 2: saving("1") } }, 422, "invalid_workflow"],
      [{ workflow: { 1: asking({ width: ["1", 0] }), 2: saving("1") } }, 422, "invalid_workflow"],
      [{ workflow: graph(), metadata: 7 }, 422, "invalid_workflow"],
      [{ workflow: graph(), inputs: {} }, 422, "invalid_workflow"],
      [
        { workflow: { 1: node("LoadImage", { image: { __type: "core/ASSET", info: { id: "x" } } }), 2: saving("1") } },
        422,
        "missing_asset",
      ],
      [
        { workflow: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, asking()])) },
        422,
        "invalid_workflow",
      ],
    ];
    await leavingNoTrace(async () => {
      for (const [body, status, code] of rows) {
        const [estimated, submitted] = [await estimateGraph(body), await submit(body)];
        const error = memberOf(submitted.json(), "error");
        assert.deepEqual([submitted.status, memberOf(error, "code")], [status, code], submitted.text);
        // The account's envelope, the same words.
        const { message, details } = Object(estimated.json());
        assert.deepEqual(
          [estimated.status, message, details],
          [status, textOf(error, "message"), Object(error).details],
        );
      }
    });
  });

  test("works for 10,000 nodes, too", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [
        [`m${at}`, asking({ seed: at })],
        [`s${at}`, saving(`m${at}`)],
      ]).flat(),
    );
    const answer = await leavingNoTrace(() => estimateGraph({ workflow: many }));
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    const estimate = requireValid(GraphEstimate, answer.json());
    assert.equal(estimate.nodes.length, 5_001);
    assert.equal(estimate.credits.highest, "202.855");
  });

  test("costs nothing and needs no balance", async () => {
    const answer = await leavingNoTrace(() => estimateGraph({ workflow: graph() }, narrow.key));
    assert.deepEqual([answer.status, memberOf(answer.json(), "hold")], [200, "30.034571"]);
  });
});

async function ended(made: AppAnswer): Promise<unknown> {
  assert.equal(made.status, 201, made.text);
  const self = textOf(made.json(), "urls", "self");
  return until(
    "ended",
    async () => {
      const job = (await app.call({ path: self, headers: bearer(app.key) })).json();
      return ["succeeded", "failed"].includes(textOf(job, "status")) ? job : null;
    },
    90,
  );
}

async function available(): Promise<bigint> {
  return credits(textOf((await app.call({ path: "/account/credits", headers: bearer(app.key) })).json(), "available"));
}

const graphsRun = process.env["ATELIER_TEST_INPUTS"] ? 100 : 5;

// One to three models in a graph, with sizes in place, through a value, or computed by the run.
function drawGraph(seed: number): Record<string, Node> {
  const draw = new Draw(seed);
  const drawn: Record<string, Node> = {
    blank: node("EmptyImage", {
      width: 64 + 8 * draw.whole(0, 20),
      height: 96,
      batch_size: draw.whole(1, 3),
      color: 0,
    }),
    size: node("GetImageSize", { image: ["blank", 0] }),
    list: node("RebatchImages", { images: ["blank", 0], batch_size: 1 }),
    sizes: node("GetImageSize", { image: ["list", 0] }),
    height: node("PrimitiveInt", { value: 64 + 8 * draw.whole(0, 8) }),
  };
  for (let at = 0; at < draw.whole(1, 3); at++) {
    drawn[`m${at}`] = asking({
      model: draw.one(["sandbox/image-1-queued", "sandbox/image-1-queued", "sandbox/image-1"]),
      width: draw.one<unknown>([64, 128.9, "96", ["size", 0], ["sizes", 0]]),
      height: draw.one<unknown>([64, ["height", 0], ["size", 1], { __value__: 72 }]),
      seed: draw.whole(0, 1_000_000),
    });
    drawn[`s${at}`] = saving(`m${at}`);
  }
  return drawn;
}

test(`${graphsRun} random graphs: the wallet's loss lies within the estimate, and every node's charge within its own`, {
  timeout: 900_000,
}, async () => {
  const seeds = fc.sample(fc.integer(), graphsRun);
  let [lowest, highest] = [0n, 0n];
  const before = await available();
  const byJob = new Map<string, ReadonlyMap<string, bigint>>();
  await inLanes(3, seeds, async (seed) => {
    const workflow = drawGraph(seed);
    const answer = await estimateGraph({ workflow });
    const estimate = requireValid(GraphEstimate, answer.json());
    lowest += credits(estimate.credits.lowest);
    highest += credits(estimate.credits.highest);
    const made = await submit({ workflow }, limit(estimate.credits.highest));
    byJob.set(
      textOf(made.json(), "id"),
      new Map(estimate.nodes.map((one) => [one.node_id, credits(one.credits.highest)])),
    );
    const job = await ended(made);
    assert.equal(textOf(job, "status"), "succeeded", JSON.stringify(job));
  });
  const charged = before - (await available());
  assert.ok(lowest <= charged && charged <= highest && charged > 0n, `${lowest} ≤ ${charged} ≤ ${highest}`);
  // The keys of a graph's calls name job and node.
  const rows = await app.database.query<{ idempotency_key: string; settled: string; hold: string }>(sql`
    select k.idempotency_key, c.settled, c.hold from calls c join call_keys k on k.call_id = c.id
    where k.idempotency_key like 'job:%'`);
  const sums = new Map<string, bigint>();
  for (const { idempotency_key, settled, hold } of rows) {
    const [, job = "", nodeId = ""] = idempotency_key.split(":");
    assert.ok(BigInt(settled) <= BigInt(hold));
    if (byJob.has(job)) sums.set(`${job} ${nodeId}`, (sums.get(`${job} ${nodeId}`) ?? 0n) + BigInt(settled));
  }
  assert.ok(sums.size >= graphsRun / 2, `${sums.size} nodes called a model`);
  for (const [name, sum] of sums) {
    const [job = "", nodeId = ""] = name.split(" ");
    const most = byJob.get(job)?.get(nodeId) ?? assert.fail(name);
    assert.ok(sum <= most, `${name}: ${sum} ≤ ${most}`);
  }
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});

test("a node named run pays in addition to the running time, not instead of it", async () => {
  const workflow = { run: asking(), 2: saving("run") };
  const estimate = requireValid(GraphEstimate, (await estimateGraph({ workflow })).json());
  assert.deepEqual(
    estimate.nodes.map(({ node_id, class_type, credits: { highest } }) => [node_id, class_type, highest]),
    [
      ["run", "AtelierModelImage", "0.034571"],
      ["run", undefined, "30"],
    ],
  );
  const before = await available();
  const job = await ended(await submit({ workflow }));
  assert.equal(textOf(job, "status"), "succeeded", JSON.stringify(job));
  const charged = before - (await available());
  const charges = await app.call({ path: `/account/jobs/${textOf(job, "id")}/charges`, headers: bearer(app.key) });
  const [node, ...others] = requireValid(JobCharges, charges.json()).nodes;
  assert.deepEqual([node?.node_id, others.length], ["run", 0]);
  assert.equal(credits(node?.credits) + credits(memberOf(charges.json(), "running_time")), charged);
  const ofNode = credits("0.034571");
  assert.ok(charged > ofNode && charged <= credits(estimate.credits.highest), String(charged));
});

describe("X-Service-Max-Credits on a submission", () => {
  test("refuses what could cost more with its most expensive nodes, stores nothing, and is ignored on a replay", async () => {
    const body = { workflow: graph() };
    const refused = await leavingNoTrace(() => submit(body, { ...aKey(), ...limit("12.5") }));
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.json(), {
      error: {
        code: "price_above_limit",
        message: "This job can cost up to 30.034571 credits, and X-Service-Max-Credits allows 12.5. Nothing ran.",
        details: {
          highest: "30.034571",
          limit: "12.5",
          nodes: [
            { node_id: "run", highest: "30" },
            { node_id: "1", highest: "0.034571" },
          ],
        },
      },
    });
    const key = aKey();
    const made = await submit(body, { ...key, ...limit("30.034571") });
    assert.equal(made.status, 201, made.text);
    const again = await submit(body, { ...key, ...limit("0") });
    assert.deepEqual([again.status, headerOf(again, "idempotent-replayed")], [201, "true"], again.text);
    assert.equal(textOf(again.json(), "id"), textOf(made.json(), "id"));
    const reused = await submit({ workflow: { ...graph(), 3: saving("1") } }, { ...key, ...limit("0") });
    assert.deepEqual([reused.status, memberOf(reused.json(), "error", "code")], [422, "idempotency_key_reuse"]);
    await ended(made);
  });

  test("that is invalid is 400, and nothing is stored", async () => {
    await leavingNoTrace(async () => {
      for (const text of ["", "-1", "much"]) {
        const answer = await submit({ workflow: graph() }, limit(text));
        assert.deepEqual([answer.status, memberOf(answer.json(), "error", "code")], [400, "invalid_request"], text);
      }
    });
  });
});

describe("402 says need and balance", () => {
  test("of the workspace, on the router and in v2", async () => {
    const poor = await addTenant(app, "poor");
    const called = await post("/v1/models/sandbox/voice-1", { prompt: "x" }, {}, poor.key);
    assert.deepEqual([called.status, bucketOf(called)], [402, "insufficient_credits"]);
    assert.match(textOf(called.json(), "detail"), /needs up to 2\.11 credits, but the workspace has 0 available/);
    const made = await post("/api/v2/jobs", { workflow: graph() }, {}, poor.key);
    assert.equal(made.status, 402);
    assert.deepEqual(memberOf(made.json(), "error", "details"), { needed: "30.034571", available: "0" });
  });

  test("of a key with a cap: which cap, its limit, and what is left of it", async () => {
    const rich = await addTenant(app, "capped");
    const give = await app.call({
      method: "POST",
      path: `/admin/workspaces/${rich.workspaceId}/credits`,
      headers: bearer(app.adminToken),
      body: { amount: "100" },
    });
    assert.ok(give.status < 300, give.text);
    const caps = await app.call({
      method: "PUT",
      path: `/account/keys/${rich.keyId}/caps`,
      headers: bearer(rich.key),
      body: { daily_credits_max: "3", monthly_credits_max: null },
    });
    assert.equal(caps.status, 200, caps.text);
    assert.equal((await post("/v1/models/sandbox/voice-1", { prompt: "x" }, {}, rich.key)).status, 200);
    const refused = await post("/v1/models/sandbox/voice-1", { prompt: "x" }, {}, rich.key);
    assert.deepEqual([refused.status, bucketOf(refused)], [402, "insufficient_credits"]);
    assert.match(
      textOf(refused.json(), "detail"),
      /This key may spend 3 credits per day\. 2\.11 are spent, 0 are held by its open calls and 0\.89 are left, but this call may cost 2\.11/,
    );
  });
});
