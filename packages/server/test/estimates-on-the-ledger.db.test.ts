// The estimates of estimates-contain-the-charge.test.ts on the real ledger: for every sandbox model and every shipped
// one, an estimate is requested and then the call is made, over HTTP, at a provider that reports anything. The header,
// the hold and the journal's charge lie within the estimate. `npm run test:long -- properties` draws 1,000 inputs for each model.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ModelEstimate } from "@atelier/contract";
import { sandboxModels } from "@atelier/sandbox";
import fc from "fast-check";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import { ProviderFixtures } from "../src/capabilities/conformance/index.ts";
import { shippedDefinition } from "../src/capabilities/model-calls/catalog/shipped-providers.ts";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sandboxDefinition } from "../src/capabilities/providers/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, headerOf } from "./support/app-client.ts";
import { raiseRates } from "./support/app-people.ts";
import { Draw, drawInput, drawReport, factNames } from "./support/model-inputs.ts";
import { type ReportingProvider, reportingProvider } from "./support/reporting-provider.ts";
import { inLanes, invokeOn, readOn } from "./support/router-calls.ts";
import { recordedByRequests } from "./support/router-records-store.ts";
import { shippedFiles } from "./support/shipped-definitions.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const inputsEach = Number(process.env["ATELIER_TEST_INPUTS"] ?? 4);

let app: TestApp;
let folder: string;
const providers: ReportingProvider[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-estimates-"));
  const sandbox = sandboxDefinition("http://127.0.0.1:1", sandboxModels, { kind: "none" });
  for (const model of sandbox.models) providers.push(await reportingProvider(sandbox, model, null, providers.length));
  for (const { name, fixtures } of await shippedFiles()) {
    const definition = (await shippedDefinition(name)) ?? assert.fail(name);
    const checked = requireValid(ProviderFixtures, fixtures);
    for (const model of definition.models)
      providers.push(await reportingProvider(definition, model, checked, providers.length));
  }
  const files = providers.map(async ({ definition }) => {
    const path = join(folder, `${definition.provider}.json`);
    await writeFile(path, JSON.stringify(definition));
    return path;
  });
  app = await testApp({
    credentials: Object.assign({}, ...providers.map(({ credentials }) => credentials)),
    env: {
      ATELIER_PROVIDERS: (await Promise.all(files)).join(","),
      ATELIER_BOOTSTRAP_CREDITS: "1000000000",
      ATELIER_ENGINE_SLOTS: "0",
    },
  });
  await raiseRates(app, app.workspaceId);
  const answer = await app.call({
    method: "PUT",
    path: `/admin/workspaces/${app.workspaceId}/limits/concurrency`,
    headers: bearer(app.adminToken),
    body: { value: 400 },
  });
  assert.equal(answer.status, 200, answer.text);
});
after(async () => {
  await app?.close();
  for (const provider of providers) await provider.close();
  await rm(folder, { recursive: true, force: true });
});

const credits = (text: string | undefined): bigint => parseCredits(text ?? "") ?? assert.fail(text);

interface Called {
  readonly what: string;
  readonly requestId: string;
  readonly lowest: bigint;
  readonly highest: bigint;
  readonly used: bigint;
}

// Null if estimate and call were both refused, because the input's members do not go together.
async function estimateAndCall(provider: ReportingProvider, seed: number): Promise<Called | null> {
  const { id, model } = provider;
  const draw = new Draw(seed);
  const input = drawInput(model, draw);
  const report = drawReport(model.price, draw);
  provider.report(report);
  const estimated = await invokeOn(app, `${id}/estimate`, input);
  const called = await invokeOn(app, id, input);
  const what = `${id} ${JSON.stringify(input).slice(0, 300)} ${JSON.stringify(report)}`;
  if (estimated.status === 422) {
    assert.deepEqual([called.status, called.text], [422, estimated.text], what);
    return null;
  }
  assert.deepEqual([estimated.status, called.status], [200, 200], `${what}: ${estimated.text} ${called.text}`);
  const estimate = requireValid(ModelEstimate, estimated.json());
  assert.equal(estimate.hold, estimate.credits.highest, what);
  assert.equal(estimate.is_exact, estimate.credits.lowest === estimate.credits.highest, what);
  return {
    what,
    requestId: headerOf(called, "x-service-request-id") ?? assert.fail(what),
    lowest: credits(estimate.credits.lowest),
    highest: credits(estimate.credits.highest),
    used: credits(headerOf(called, "x-service-credits-used")),
  };
}

test(`for ${inputsEach} inputs of each model the ledger's charge lies within the estimate, and the hold is its highest`, {
  timeout: 3_600_000,
}, async () => {
  const before = credits(textOfCredits(await readOn(app, "/account/credits")));
  const calls: Called[] = [];
  const seeds = fc.sample(fc.integer(), inputsEach);
  await inLanes(providers.length, providers, async (provider) => {
    let accepted = 0;
    for (const seed of seeds) {
      const call = await estimateAndCall(provider, seed);
      if (call === null) continue;
      calls.push(call);
      accepted += 1;
    }
    assert.ok(accepted >= inputsEach * 0.7, `${provider.id}: ${accepted} of ${inputsEach} inputs were taken`);
  });
  const recorded = await recordedByRequests(app.database);
  let [sum, between] = [0n, 0];
  for (const { what, requestId, lowest, highest, used } of calls) {
    const words = `${what}: ${lowest} ≤ ${used} ≤ ${highest}`;
    assert.ok(lowest <= used && used <= highest, words);
    const one = recorded.get(requestId);
    // A free call without a key leaves a usage row but no call.
    if (highest > 0n) assert.deepEqual([one?.hold, one?.settled], [highest, used], words);
    else assert.deepEqual([one?.hold ?? 0n, one?.settled ?? 0n], [0n, 0n], words);
    sum += used;
    if (lowest < used && used < highest) between += 1;
  }
  assert.ok(between > calls.length / 20, `${between} of ${calls.length} charges lay strictly between`);
  const reporting = providers.filter(({ model }) => factNames(model.price).length > 0);
  assert.ok(reporting.length >= 10, "reports are part of it");
  assert.equal(before - credits(textOfCredits(await readOn(app, "/account/credits"))), sum, "the wallet's difference");
  for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});

function textOfCredits(answer: { json(): unknown }): string {
  const value: unknown = answer.json();
  return typeof value === "object" && value !== null ? String(Reflect.get(value, "available")) : "";
}
