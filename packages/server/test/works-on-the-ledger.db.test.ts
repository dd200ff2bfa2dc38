// Random works, nested up to three deep, with random inputs, on the real ledger: what a call is charged lies within its
// estimate, the hold covers it, the work's price badge contains it, and the journal adds up. `npm run test:long -- properties` draws 1,000 of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BadgeMap, limits, ModelEstimate } from "@atelier/contract";
import fc from "fast-check";
import jsonata from "jsonata";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { raiseRates } from "./support/app-people.ts";
import { Draw } from "./support/model-inputs.ts";
import { inLanes } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const worksMax = Number(process.env["ATELIER_TEST_INPUTS"] ?? 8);

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({
    env: { ATELIER_BOOTSTRAP_CREDITS: "1000000000", ATELIER_ENGINE_SLOTS: "2", ATELIER_JOB_SECOND_CREDITS: "0.05" },
  });
  await raiseRates(app, app.workspaceId);
});
after(() => apps.close());

const post = (path: string, body: unknown) =>
  app.call({ method: "POST", path, headers: { ...bearer(app.key), "content-type": "application/json" }, body });
const credits = (text: string | undefined): bigint => parseCredits(text ?? "") ?? assert.fail(text);

type Graph = Record<string, { class_type: string; inputs: Record<string, unknown> }>;
interface Made {
  readonly graph: Graph;
  readonly form: { inputs: Record<string, unknown>[]; outputs: { name: string; node: string }[] };
  // How a caller's random values are drawn, by input.
  readonly draws: Map<string, () => unknown>;
}

// One to three pictures, each by a model or by a work inside, blended into one.
async function makeWork(draw: Draw, name: string, depth: number): Promise<Made> {
  const graph: Graph = {};
  const inputs: Record<string, unknown>[] = [];
  const draws = new Map<string, () => unknown>();
  const sources: string[] = [];
  const count = draw.whole(1, 3);
  for (let at = 0; at < count; at++) {
    const id = `n${at}`;
    if (depth > 1 && draw.whole(0, 1) === 1) {
      const inner = await makeWork(draw, `${name}-${at}`, depth - 1);
      const given = Object.fromEntries([...inner.draws].map(([key, value]) => [key, value()]));
      graph[id] = { class_type: await publish(`${name}-${at}`, inner), inputs: given };
    } else {
      const size = () => 8 * draw.whole(8, 24);
      const model = draw.whole(0, 3) === 0 ? "sandbox/image-1" : "sandbox/image-1-queued";
      graph[id] = {
        class_type: "AtelierModelImage",
        inputs: {
          model,
          prompt: `${name} ${at}`,
          width: size(),
          height: size(),
          seed: draw.whole(0, 1_000_000),
          parameters: '{"response_format": "b64_json", "simulate_seconds": 0}',
        },
      };
      if (draw.whole(0, 1) === 1) {
        const field = { name: `width_${at}`, node: id, input: "width", kind: "integer" };
        inputs.push({ ...field, minimum: 64, maximum: 192, step: 8 });
        draws.set(`width_${at}`, size);
      }
    }
    sources.push(id);
  }
  for (const [at, source] of sources.entries())
    graph[`save${at}`] = { class_type: "SaveImage", inputs: { images: [source, 0], filename_prefix: "x" } };
  return { graph, form: { inputs, outputs: [{ name: "picture", node: "save0" }] }, draws };
}

async function publish(name: string, { graph, form }: Made): Promise<string> {
  const saved = await post("/account/workflows", { name, document: graph });
  assert.equal(saved.status, 201, saved.text);
  const published = await app.call({
    method: "PUT",
    path: `/account/works/${name}`,
    headers: { ...bearer(app.key), "content-type": "application/json" },
    body: { workflow_id: textOf(saved.json(), "id"), form, examples: [], visibility: "public" },
  });
  assert.equal(published.status, 201, published.text);
  return textOf(published.json(), "id");
}

test(`for ${worksMax} random works the charge lies within the estimate, and the hold covers it`, {
  timeout: 3_600_000,
}, async () => {
  const available = async () =>
    credits(
      textOf(
        (await app.call({ method: "GET", path: "/account/credits", headers: bearer(app.key) })).json(),
        "available",
      ),
    );
  const before = await available();
  let sum = 0n;
  const charged = new Map<string, bigint>();
  await inLanes(4, fc.sample(fc.integer(), worksMax), async (seed, at) => {
    const draw = new Draw(seed);
    const made = await makeWork(draw, `work-${at}`, 3);
    const id = await publish(`work-${at}`, made);
    const input = Object.fromEntries([...made.draws].map(([name, value]) => [name, value()]));
    const estimated = await post(`/v1/models/${id}/estimate`, input);
    const called = await post(`/v1/models/${id}`, input);
    const what = `${JSON.stringify(made.graph)} ${JSON.stringify(input)}`;
    assert.deepEqual([estimated.status, called.status], [200, 200], `${what}: ${estimated.text} ${called.text}`);
    const estimate = requireValid(ModelEstimate, estimated.json());
    const used = credits(headerOf(called, "x-service-credits-used"));
    const [lowest, highest] = [credits(estimate.credits.lowest), credits(estimate.credits.highest)];
    assert.ok(lowest <= used && used <= highest, `${what}: ${lowest} ≤ ${used} ≤ ${highest}`);
    assert.ok(credits(estimate.hold) >= used, what);
    sum += used;
    charged.set(id, used);
  });
  await requireBadges(charged);
  assert.equal(before - (await available()), sum, "the wallet's difference");
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  assert.deepEqual(await app.database.query(sql`select workspace_id from wallets where held <> 0`), []);
});

// Badges follow within seconds of publishing. Their amounts are dollars.
async function requireBadges(charged: ReadonlyMap<string, bigint>): Promise<void> {
  const path = "/nodes/pricing/badges?app_version=1.0.0&platform=cloud";
  const map = await until("every work has a badge", async () => {
    const found = requireValid(BadgeMap, (await app.call({ method: "GET", path })).json());
    return [...charged.keys()].every((id) => Object.hasOwn(found, id)) ? found : null;
  });
  for (const [id, used] of charged) {
    const badge = map[id] ?? assert.fail(id);
    const price: unknown = await jsonata(badge.expr).evaluate({});
    const shown = (name: string) => Number(memberOf(price, name));
    const [least, most] =
      textOf(price, "type") === "usd" ? [shown("usd"), shown("usd")] : [shown("min_usd"), shown("max_usd")];
    const dollars = Number(used) / 1e6 / limits.creditsPerUsd;
    const what = `${id}: ${least} ≤ ${dollars} ≤ ${most}`;
    assert.ok(least - 1e-9 <= dollars && dollars <= most + 1e-9, what);
  }
}
