// Estimates and credit limits over HTTP, as callers see them: the same checks as the call and the submission, nothing
// held or left behind, and what is refused has not run. Graphs really run here, and their charge lies within the
// estimate.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ModelEstimate } from "@atelier/contract";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, headerOf, memberOf } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { aKey, bucketOf, invokeOn } from "./support/router-calls.ts";
import { openInvocations } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
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

const estimateOf = (model: string, body: unknown, headers: Record<string, string> = {}) =>
  invokeOn(app, `${model}/estimate`, body, headers);
const post = (path: string, body: unknown, headers: Record<string, string> = {}, key = app.key) =>
  app.call({
    method: "POST",
    path,
    headers: { ...bearer(key), "content-type": "application/json", ...headers },
    body,
  });
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

describe("estimate of a model", () => {
  test("matches what the call then costs; free ones are 0; nothing is held or sent", async () => {
    const input = { prompt: "x", width: 128, height: 64 };
    const answer = await leavingNoTrace(() => estimateOf("sandbox/image-1-queued", input));
    assert.deepEqual([answer.status, headerOf(answer, "cache-control")], [200, "no-store"]);
    const { expected_seconds: _, ...estimate } = requireValid(ModelEstimate, answer.json());
    // 128 × 64 pixels at 0.02 USD per megapixel, by 211 credits per USD; the report may say less.
    assert.deepEqual(estimate, {
      model: "sandbox/image-1-queued",
      credits: { lowest: "0", highest: "0.034571" },
      hold: "0.034571",
      is_exact: false,
      parts: [{ each: "4.22", quantities: [{ unit: "megapixel", lowest: "0", highest: "0.008192", reported: true }] }],
    });
    const called = await invokeOn(app, "sandbox/image-1-queued", input);
    const used = credits(headerOf(called, "x-service-credits-used"));
    assert.ok(used >= credits(estimate.credits.lowest) && used <= credits(estimate.credits.highest), String(used));
    const free = await estimateOf("sandbox/image-1", { prompt: "x" });
    assert.deepEqual(memberOf(free.json(), "credits"), { lowest: "0", highest: "0" });
    assert.deepEqual([memberOf(free.json(), "hold"), memberOf(free.json(), "is_exact")], ["0", true]);
    const flat = await estimateOf("sandbox/voice-1", { prompt: "x" });
    assert.deepEqual(memberOf(flat.json(), "credits"), { lowest: "2.11", highest: "2.11" });
    assert.equal(memberOf(flat.json(), "is_exact"), true);
  });

  test("is refused in the same words as the call, and leaves nothing behind", async () => {
    const rows: readonly [string, unknown, number, string][] = [
      ["sandbox/image-1", "{", 400, "invalid_input"],
      ["sandbox/image-1", "", 400, "invalid_input"],
      ["sandbox/nothing", {}, 404, "model_not_found"],
      ["SANDBOX/image-1", {}, 404, "model_not_found"],
      ["sandbox/image-1-queued", { prompt: 7, width: 1 }, 422, "invalid_input"],
      ["sandbox/image-1", "[]", 422, "invalid_input"],
      ["sandbox/image-1", "x".repeat(21 * 1024 * 1024), 413, "invalid_input"],
    ];
    await leavingNoTrace(async () => {
      for (const [model, body, status, bucket] of rows) {
        const [estimated, called] = [await estimateOf(model, body), await invokeOn(app, model, body)];
        assert.deepEqual([estimated.status, bucketOf(estimated)], [status, bucket], `${model} ${estimated.text}`);
        assert.deepEqual([estimated.status, estimated.text], [called.status, called.text]);
      }
    });
  });

  test("of an unreleased model is 404, of one that the workspace may not run 403, without a key 401", async () => {
    const path = "/v1/models/sandbox/voice-1/estimate";
    const forbidden = await post(path, { prompt: "x" }, {}, narrow.key);
    assert.deepEqual([forbidden.status, bucketOf(forbidden)], [403, "forbidden"]);
    const release = async (released: boolean | null) => {
      const answer = await app.call({
        method: "PUT",
        path: "/admin/models/sandbox/voice-1/release",
        headers: bearer(app.adminToken),
        body: { released },
      });
      assert.equal(answer.status, 200, answer.text);
    };
    await release(false);
    const hidden = await post(path, { prompt: "x" });
    await release(null);
    assert.deepEqual([hidden.status, bucketOf(hidden)], [404, "model_not_found"]);
    assert.equal((await app.call({ method: "POST", path, body: {} })).status, 401);
  });
});

describe("X-Service-Max-Credits on a call", () => {
  const voice = "sandbox/voice-1";

  test("refuses a call that could cost more, with need and limit, before anything runs; the same amount passes", async () => {
    const refused = await leavingNoTrace(() =>
      invokeOn(app, voice, { prompt: "x" }, { ...aKey(), ...limit("2.109999") }),
    );
    assert.deepEqual([refused.status, bucketOf(refused)], [422, "invalid_input"]);
    assert.deepEqual(refused.json(), {
      detail: "This call can cost up to 2.11 credits, and X-Service-Max-Credits allows 2.109999. Nothing ran.",
      error_type: "invalid_input",
    });
    for (const allowed of ["2.11", "2.110000", "9000000000000"])
      assert.equal((await invokeOn(app, voice, { prompt: "x" }, limit(allowed))).status, 200, allowed);
    assert.equal((await invokeOn(app, "sandbox/text-1", { prompt: "x" }, limit("0"))).status, 200);
  });

  test("that is invalid is 400, and nothing runs", async () => {
    await leavingNoTrace(async () => {
      for (const text of [
        "",
        " ",
        "-1",
        "-0.5",
        "+1",
        "1e3",
        "0x1",
        ".5",
        "5.",
        "1,5",
        "01",
        "1.1234567",
        "NaN",
        "ten",
        "9".repeat(20),
      ]) {
        const answer = await invokeOn(app, voice, { prompt: "x" }, { ...aKey(), ...limit(text) });
        assert.deepEqual([answer.status, bucketOf(answer)], [400, "invalid_input"], JSON.stringify(text));
      }
      const twice = await fetch(`${app.baseUrl}/v1/models/${voice}`, {
        method: "POST",
        headers: [
          ["authorization", `Bearer ${app.key}`],
          ["content-type", "application/json"],
          ["x-service-max-credits", "1"],
          ["x-service-max-credits", "2"],
        ],
        body: '{"prompt": "x"}',
      });
      assert.equal(twice.status, 400, await twice.text());
    });
  });

  test("is ignored where the key is known, and is not part of the key's comparison", async () => {
    const key = aKey();
    const first = await invokeOn(app, voice, { prompt: "once" }, { ...key, ...limit("5") });
    assert.equal(first.status, 200, first.text);
    const before = await apps.runs();
    for (const other of [limit("0"), limit("1"), {}]) {
      const again = await invokeOn(app, voice, { prompt: "once" }, { ...key, ...other });
      assert.deepEqual([again.status, headerOf(again, "idempotent-replayed")], [200, "true"], again.text);
      assert.ok(again.bytes.equals(first.bytes));
    }
    assert.equal(await apps.runs(), before);
    // The key of a refused request is free again.
    const fresh = aKey();
    assert.equal((await invokeOn(app, voice, { prompt: "x" }, { ...fresh, ...limit("1") })).status, 422);
    assert.equal((await invokeOn(app, voice, { prompt: "y" }, { ...fresh, ...limit("3") })).status, 200);
  });
});
