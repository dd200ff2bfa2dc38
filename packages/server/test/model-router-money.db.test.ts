// One price record, three figures: the badge shows it, the hold covers it, the charge is it. The header, the journal and
// the usage row agree (decisions, sections 2 and 3).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type SandboxModel, sandboxModels } from "@atelier/sandbox";
import fc from "fast-check";
import jsonata from "jsonata";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import {
  charge,
  type Facts,
  holdBound,
  makeBadge,
  type Price,
  parseCredits,
  parseDecimal,
  priceOf,
  toMicroCredits,
  validatePrice,
} from "../src/capabilities/prices/index.ts";
import { bearer, headerOf, listOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { inLanes, invokeOn, readOn } from "./support/router-calls.ts";
import { recordedByRequest } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_BOOTSTRAP_CREDITS: "1000000" } });
});
after(() => apps.close());

const creditsPerUsd = 211;
const priced = sandboxModels.filter((model) => model.price.usd !== "0");

function priceOfModel(model: SandboxModel): Price {
  const validated = validatePrice(model.price);
  assert.ok(validated.ok);
  return priceOf(validated.definition, creditsPerUsd);
}

const side = (least: number, most: number) =>
  fc.option(
    fc.integer({ min: least / 8, max: most / 8 }).map((eighth) => eighth * 8),
    { nil: undefined },
  );

// Inputs that the model accepts, with members left out as callers do.
function inputsOf(model: SandboxModel, most: { side: number; seconds: number }): fc.Arbitrary<Record<string, unknown>> {
  const members = {
    prompt: fc.string({ minLength: 1, maxLength: 30 }).map((text) => (text.isWellFormed() ? text : "x")),
    ...(model.name === "image-1-queued" ? { width: side(64, most.side), height: side(64, most.side) } : {}),
    ...(model.name === "video-1"
      ? { seconds: fc.option(fc.integer({ min: 1, max: most.seconds }), { nil: undefined }) }
      : {}),
  };
  return fc
    .record(members)
    .map((input) => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

// What the badge says about this input, in micro-credits: the least and the most.
async function badgeSpan(price: Price, input: Readonly<Record<string, unknown>>): Promise<readonly [bigint, bigint]> {
  const { expr, depends_on } = makeBadge(price);
  const widgets = Object.fromEntries(depends_on.widgets.map(({ name }) => [name, input[name] ?? null]));
  const shown: unknown = await jsonata(expr).evaluate({ widgets, inputs: {}, inputGroups: {} });
  assert.ok(typeof shown === "object" && shown !== null);
  const amount = (name: string): bigint => {
    const usd: unknown = Reflect.get(shown, name);
    const decimal = typeof usd === "number" ? parseDecimal(String(usd)) : null;
    assert.ok(decimal, `${name} is ${String(usd)}`);
    return toMicroCredits(decimal, creditsPerUsd);
  };
  return Reflect.get(shown, "type") === "usd" ? [amount("usd"), amount("usd")] : [amount("min_usd"), amount("max_usd")];
}

describe("for every priced sandbox model and 1,000 generated inputs", () => {
  assert.deepEqual(priced.map(({ name }) => name).sort(), ["image-1-queued", "video-1", "voice-1"]);
  for (const model of priced) {
    test(`${model.id}: the badge contains the charge, and the hold is not below it`, async () => {
      const price = priceOfModel(model);
      const reports = fc.dictionary(
        fc.constantFrom("megapixels", "seconds"),
        fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer({ min: -5, max: 1_000_000 })),
      );
      let reported = 0;
      const samples = fc.sample(fc.tuple(inputsOf(model, { side: 2048, seconds: 10 }), reports), 1_000);
      for (const [input, facts] of samples) {
        const [least, most] = await badgeSpan(price, input);
        const hold = holdBound(price, input);
        for (const report of [{}, facts] satisfies Facts[]) {
          const cost = charge(price, input, report);
          const what = JSON.stringify({ input, report, least: String(least), cost: String(cost), most: String(most) });
          assert.ok(cost > 0n || Object.keys(report).length > 0, what);
          assert.ok(least <= cost && cost <= most && cost <= hold, what);
          if (cost !== charge(price, input)) reported += 1;
        }
        assert.equal(most, hold, "the most that the badge says is what is held");
      }
      if (model.name !== "voice-1") assert.ok(reported > 50, "reports must have mattered");
    });
  }
});

describe("over HTTP, for dozens of inputs of every priced model", () => {
  for (const model of priced) {
    test(`${model.id}: X-Service-Credits-Used is the journal's line, within hold and badge`, {
      timeout: 900_000,
    }, async () => {
      const price = priceOfModel(model);
      const inputs = fc.sample(inputsOf(model, { side: 320, seconds: 3 }), model.name === "video-1" ? 15 : 40);
      const tiny = model.name === "video-1" ? { width: 64, height: 64 } : {};
      await inLanes(10, inputs, async (input) => {
        const sized = model.name === "image-1-queued" ? { width: 128, height: 64, ...input } : { ...input, ...tiny };
        const answer = await invokeOn(app, model.id, { ...sized, simulate_seconds: 0.05 });
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
        const used = parseCredits(headerOf(answer, "x-service-credits-used") ?? "");
        const recorded = await recordedByRequest(app.database, headerOf(answer, "x-service-request-id") ?? "");
        const what = JSON.stringify(sized);
        assert.ok(recorded && used !== null && used > 0n, what);
        assert.deepEqual([recorded.settleLines, recorded.settleSum, recorded.settled], [1, used, used], what);
        const [least, most] = await badgeSpan(price, sized);
        assert.deepEqual([recorded.hold, most], [holdBound(price, sized), holdBound(price, sized)], what);
        assert.ok(least <= used && used <= most, what);
      });
    });
  }
});

test("402 names what the call needs and what the workspace has", async () => {
  const poor = await addTenant(app, "poor");
  const answer = await app.call({
    method: "POST",
    path: "/v1/models/sandbox/voice-1",
    headers: bearer(poor.key),
    body: { prompt: "x" },
  });
  assert.equal(answer.status, 402);
  assert.match(
    textOf(answer.json(), "detail"),
    /^This call needs up to 2\.11 credits, but the workspace has 0 available/,
  );
});

test("a refusal costs what the model's billing block says, and no more than was held", async () => {
  const before = parseCredits(textOf((await readOn(app, "/account/credits")).json(), "available")) ?? 0n;
  const input = { prompt: "x", simulate: "refuse", seconds: 2, width: 64, height: 64 };
  const charged = await invokeOn(app, "sandbox/video-1", input);
  const recorded = await recordedByRequest(app.database, headerOf(charged, "x-service-request-id") ?? "");
  assert.deepEqual([charged.status, recorded?.settleSum], [400, recorded?.hold], "charges_on_policy_rejection is yes");
  const free = await invokeOn(app, "sandbox/voice-1", { prompt: "x", simulate: "refuse" });
  assert.equal(free.status, 400);
  const now = parseCredits(textOf((await readOn(app, "/account/credits")).json(), "available")) ?? 0n;
  assert.equal(before - now, recorded?.settleSum);
});

test("the account's usage shows the same credits as the header", async () => {
  const answer = await invokeOn(app, "sandbox/voice-1", { prompt: "usage" });
  const usage = await readOn(app, "/account/usage?limit=100");
  const row = listOf(usage.json(), "data").find(
    (one) => textOf(one, "request_id") === headerOf(answer, "x-service-request-id"),
  );
  assert.equal(textOf(row, "credits"), headerOf(answer, "x-service-credits-used"));
});

test("after everything above, every invariant of the books holds", async () => {
  for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});
