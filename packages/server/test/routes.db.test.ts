// Routes: a second provider is asked only when the first provably did not run. One key, one run, one charge.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type FaultyProvider, faultyProvider, type ProviderFault } from "./support/faulty-provider.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { aKey, inLanes, invokeOn, readOn } from "./support/router-calls.ts";
import { recordedUnderKey } from "./support/router-records-store.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let one: FaultyProvider;
let two: FaultyProvider;
let mute: FaultyProvider;
before(async () => {
  one = await faultyProvider({ name: "one", usd: "0.02", longestRunSeconds: 2 });
  two = await faultyProvider({ name: "two", usd: "0.05", longestRunSeconds: 2 });
  // Cannot be asked about a reference.
  mute = await faultyProvider({ name: "mute", usd: "0.01", finalAfterSeconds: null, longestRunSeconds: 2 });
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
  const closed = aDefinition("closed", {
    base_url: "http://127.0.0.1:9",
    models: [firstModel(mute)],
  });
  const sounds = aDefinition("sounds", { models: [aModel({ model: "hum", released: true, kind: "audio" })] });
  const strict = aDefinition("other-words", {
    base_url: two.definition.base_url,
    models: [
      {
        ...firstModel(two),
        model: "paint",
        input_schema: {
          type: "object",
          required: ["prompt", "size"],
          additionalProperties: false,
          properties: { prompt: { type: "string" }, size: { enum: ["s", "l"] }, faults: { type: "object" } },
        },
      },
    ],
  });
  for (const definition of [one.definition, two.definition, mute.definition, closed, sounds, strict]) {
    const put = await putProvider(app, definition);
    assert.equal(put.status, 201, put.text);
  }
});
after(async () => {
  await app.close();
  for (const provider of [one, two, mute]) await provider.close();
});

const firstModel = ({ definition }: FaultyProvider) => {
  const [model] = definition.models;
  assert.ok(model);
  return model;
};

const putRoute = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  app.call({ method: "PUT", path: `/account/routes/${name}`, headers: { ...bearer(app.key), ...headers }, body });

const asAdmin = (request: { method?: string; path: string; body?: unknown }) =>
  app.call({ ...request, headers: bearer(app.adminToken) });

async function aRoute(name: string, ...models: string[]): Promise<void> {
  const put = await putRoute(name, { targets: models.map((model) => ({ model })) });
  assert.equal(put.status, 201, put.text);
}

let calls = 0;
interface Made {
  readonly prompt: string;
  readonly key: string;
  readonly answer: AppAnswer;
}
async function call(route: string, faults: Record<string, ProviderFault>, more: object = {}): Promise<Made> {
  const prompt = `call ${calls++}`;
  const key = aKey();
  const answer = await invokeOn(app, `route/${route}`, { prompt, faults, ...more }, key);
  return { prompt, key: key["idempotency-key"], answer };
}

// A provider that failed several times in a row is asked last until a call to it succeeds.
async function closeCircuit(): Promise<void> {
  const answer = await invokeOn(app, "one/draw", { prompt: "well" });
  assert.equal(answer.status, 200, answer.text);
}

async function holdInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
}

const runsOf = (prompt: string) => [one, two, mute].reduce((sum, { runs }) => sum + (runs.get(prompt) ?? 0), 0);

describe("a call of a route", () => {
  test("goes on to the next target exactly if the first provably did not run; it runs once and is charged once", async () => {
    await aRoute("pair", "one/draw", "two/draw");
    // What the first does → who answers.
    const cases: readonly [ProviderFault, "one" | "two"][] = [
      ["ok", "one"],
      ["forbidden", "two"],
      ["busy", "two"],
      ["full", "two"],
      ["reset", "two"],
      ["error", "two"],
      ["hang", "two"],
      ["reset_ran", "one"],
      ["error_ran", "one"],
      ["hang_ran", "one"],
    ];
    for (const [fault, by] of cases) {
      await closeCircuit();
      const { prompt, key, answer } = await call("pair", { one: fault });
      assert.deepEqual([answer.status, memberOf(answer.json(), "made_by")], [200, by], fault);
      assert.equal(headerOf(answer, "x-service-route-target"), `${by}/draw`);
      assert.equal(headerOf(answer, "x-service-credits-used"), by === "one" ? "4.22" : "10.55", fault);
      assert.equal(runsOf(prompt), 1, fault);
      const [recorded] = await recordedUnderKey(app.database, key);
      assert.deepEqual([recorded?.state, recorded?.settleLines], ["finished", 1], fault);
      assert.ok((recorded?.hold ?? 0n) >= (recorded?.settleSum ?? 0n));
    }
    await holdInvariants();
  });

  test("whatever both targets do, at most one runs it and nothing is charged without a result", async () => {
    const kinds: readonly ProviderFault[] = ["forbidden", "full", "reset", "error", "error_ran", "reset_ran"];
    const pairs = kinds.flatMap((first) => kinds.map((second) => [first, second] as const));
    await inLanes(6, pairs, async ([first, second]) => {
      const { prompt, key, answer } = await call("pair", { one: first, two: second });
      const ran = runsOf(prompt);
      assert.ok(ran <= 1, `${first}, then ${second}: ${ran} runs`);
      const [recorded] = await recordedUnderKey(app.database, key);
      // A key is free again exactly if no target ran it.
      assert.equal(recorded === undefined, ran === 0, `${first}, then ${second}: ${answer.status}`);
      assert.equal(recorded?.settleLines ?? 0, answer.status === 200 ? 1 : 0, `${first}, then ${second}`);
      assert.equal(answer.status === 200, ran === 1, `${first}, then ${second}`);
    });
    await holdInvariants();
  });

  const failingProviders = async () =>
    listOf((await asAdmin({ path: "/admin/checks" })).json(), "data")
      .map((check) => String(memberOf(check, "message")))
      .filter((message) => message.includes("keep failing"))
      .join();

  test("asks a provider that kept failing last, until one of its calls succeeds", async () => {
    await closeCircuit();
    for (let turn = 0; turn < 5; turn++) await call("pair", { one: "full" });
    const { prompt } = await call("pair", {});
    assert.deepEqual([one.asked.get(prompt), two.asked.get(prompt)], [undefined, 1]);
    const health = listOf((await asAdmin({ path: "/admin/provider-health" })).json(), "data");
    const shown = health.find((each) => memberOf(each, "provider") === "one");
    assert.deepEqual(
      [memberOf(shown, "credential"), memberOf(shown, "circuit"), memberOf(shown, "last_failure", "status")],
      ["server", "open", 503],
    );
    assert.match(
      (await asAdmin({ path: "/metrics" })).text,
      /atelier_provider_circuits_open\{provider="one",credential="server"\} 1/,
    );
    assert.match(await failingProviders(), /^calls to one keep failing: /);
    await closeCircuit();
    assert.equal(memberOf((await call("pair", {})).answer.json(), "made_by"), "one");
    assert.match(
      (await asAdmin({ path: "/metrics" })).text,
      /atelier_provider_circuits_open\{provider="one",credential="server"\} 0/,
    );
    assert.equal(await failingProviders(), "");
    const told = app.logged
      .map((line) => JSON.parse(line))
      .filter((line) => line.provider === "one" && /in a row|answers again/.test(line.message));
    assert.deepEqual(
      told.slice(-2).map(({ level, credential, status, message }) => [level, credential, status, message]),
      [
        ["warn", "server", 503, "one failed 5 calls in a row: routes ask it last until one succeeds"],
        ["info", "server", undefined, "one answers again"],
      ],
    );
  });

  test("passes over a target that is not there", async () => {
    await aRoute("away", "closed/draw", "two/draw");
    const { answer } = await call("away", {});
    assert.deepEqual([answer.status, memberOf(answer.json(), "made_by")], [200, "two"]);
  });

  test("does not go on if the provider cannot say whether it ran: the key keeps its answer", async () => {
    await aRoute("unsure", "mute/draw", "two/draw");
    for (const fault of ["error_ran", "reset_ran", "error", "reset"] as const) {
      const { prompt, key, answer } = await call("unsure", { mute: fault });
      assert.equal(answer.status, 502, fault);
      assert.equal(headerOf(answer, "x-service-route-target"), "mute/draw");
      assert.equal(two.asked.get(prompt), undefined, fault);
      const again = await invokeOn(
        app,
        "route/unsure",
        { prompt, faults: { mute: fault } },
        { "idempotency-key": key },
      );
      assert.deepEqual([again.status, headerOf(again, "idempotent-replayed")], [502, "true"], fault);
      assert.equal(mute.asked.get(prompt), 1, fault);
    }
  });

  test("leaves its list of attempts, with target, time and words, in the request's record", async () => {
    await closeCircuit();
    const { answer } = await call("pair", { one: "full" });
    const id = headerOf(answer, "x-service-request-id");
    const record = await until("the record", async () => {
      const read = await readOn(app, `/account/requests/${id}`);
      return read.status === 200 && listOf(read.json(), "attempts").length > 0 ? read : null;
    });
    assert.deepEqual(
      listOf(record.json(), "attempts").map((each) => [memberOf(each, "target"), memberOf(each, "status")]),
      [
        ["one/draw", 503],
        ["two/draw", 200],
      ],
    );
    assert.equal(memberOf(record.json(), "subject"), "model:route/pair");
  });

  test("that is queued goes the same way", async () => {
    const prompt = "queued";
    const submitted = await app.call({
      method: "POST",
      path: "/v1/models/route/pair/requests",
      headers: { ...bearer(app.key), ...aKey() },
      body: { prompt, faults: { one: "full" } },
    });
    assert.equal(submitted.status, 202, submitted.text);
    const id = String(memberOf(submitted.json(), "request_id"));
    const answer = await until("its result", async () => {
      const read = await readOn(app, `/v1/models/route/pair/requests/${id}`);
      return read.status === 200 ? read : null;
    });
    assert.equal(memberOf(answer.json(), "made_by"), "two");
    assert.equal(runsOf(prompt), 1);
  });

  test("maps inputs, names what it drops, and skips that target if the route is strict", async () => {
    const targets = [
      { model: "one/draw" },
      {
        model: "other-words/paint",
        inputs: { constants: { size: "l" }, drop: ["seed"] },
      },
    ];
    assert.equal((await putRoute("mapped", { targets })).status, 201);
    assert.equal((await putRoute("strict", { strict: true, targets })).status, 201);
    const seed = 7;
    const dropped = await call("mapped", { one: "full" }, { seed });
    assert.equal(dropped.answer.status, 200, dropped.answer.text);
    assert.equal(headerOf(dropped.answer, "x-service-dropped-params"), "seed");
    assert.equal(headerOf(dropped.answer, "x-service-route-target"), "other-words/paint");
    const kept = await call("strict", { one: "full" }, { seed });
    assert.deepEqual([kept.answer.status, headerOf(kept.answer, "x-service-route-target")], [502, "one/draw"]);
    const without = await call("strict", { one: "full" });
    assert.equal(headerOf(without.answer, "x-service-route-target"), "other-words/paint");
  });
});

describe("a route in the catalog", () => {
  test("has a schema and an estimate that contains every target, and is listed", async () => {
    const page = await readOn(app, "/v1/models?limit=100");
    assert.ok(listOf(page.json(), "data").some((entry) => memberOf(entry, "id") === "route/pair"));
    const detail = await readOn(app, "/v1/models/route/pair");
    assert.equal(detail.status, 200, detail.text);
    const schema = await readOn(app, "/v1/models/route/pair/openapi.json");
    assert.ok(schema.text.includes('"/v1/models/route/pair"'));
    const estimate = await app.call({
      method: "POST",
      path: "/v1/models/route/pair/estimate",
      headers: bearer(app.key),
      body: { prompt: "x" },
    });
    assert.deepEqual(memberOf(estimate.json(), "credits"), { lowest: "4.22", highest: "10.55" });
    assert.equal(memberOf(estimate.json(), "hold"), "10.55");
  });

  test("asks the cheapest first under the rule price, and stays within the caller's limit", async () => {
    const targets = [{ model: "two/draw" }, { model: "one/draw" }];
    assert.equal((await putRoute("cheap", { rule: "price", targets })).status, 201);
    await closeCircuit();
    const { answer } = await call("cheap", {});
    assert.equal(memberOf(answer.json(), "made_by"), "one");
    const limited = await invokeOn(
      app,
      "route/pair",
      { prompt: "limited", faults: { one: "full" } },
      { "x-service-max-credits": "5" },
    );
    assert.equal(limited.status, 502, "the second could cost more");
    assert.equal(two.asked.get("limited"), undefined);
  });
});

describe("writing a route", () => {
  test("is refused with the place and the kind of each problem", async () => {
    const broken: readonly [object, string, string][] = [
      [{ targets: [{ model: "no/such" }] }, "/targets/0/model", "unknown_target"],
      [{ targets: [{ model: "one/draw" }, { model: "route/circle" }] }, "/targets/1/model", "circle"],
      [{ targets: [{ model: "one/draw" }, { model: "route/pair" }] }, "/targets/1/model", "nested_route"],
      [{ targets: [{ model: "one/draw" }, { model: "one/draw" }] }, "/targets/1/model", "repeated_target"],
      [{ targets: [{ model: "one/draw" }, { model: "sounds/hum" }] }, "/targets/1/model", "mixed_outputs"],
      [
        { targets: [{ model: "one/draw", inputs: { drop: ["seed"] } }] },
        "/targets/0/inputs/drop",
        "first_target_mapped",
      ],
      [
        { targets: [{ model: "one/draw" }, { model: "two/draw", inputs: { drop: ["prompt"] } }] },
        "/targets/1/inputs",
        "lost_input",
      ],
      [
        { targets: [{ model: "one/draw" }, { model: "two/draw", inputs: { rename: { colour: "seed" } } }] },
        "/targets/1/inputs/rename/colour",
        "unknown_input",
      ],
      [{ targets: [{ model: "one/draw" }, { model: "other-words/paint" }] }, "/targets/1/inputs", "unknown_input"],
    ];
    for (const [body, path, type] of broken) {
      const put = await putRoute("circle", body);
      assert.equal(put.status, 422, put.text);
      const details = listOf(put.json(), "details");
      assert.ok(
        details.some((each) => memberOf(each, "path") === path && memberOf(each, "type") === type),
        put.text,
      );
    }
  });

  test("follows If-Match and If-None-Match", async () => {
    const body = { targets: [{ model: "one/draw" }] };
    const added = await putRoute("versioned", body, { "if-none-match": "*" });
    assert.deepEqual([added.status, headerOf(added, "etag")], [201, '"1"']);
    assert.equal((await putRoute("versioned", body, { "if-none-match": "*" })).status, 412);
    const replaced = await putRoute("versioned", body, { "if-match": '"1"' });
    assert.deepEqual([replaced.status, headerOf(replaced, "etag")], [200, '"2"']);
    assert.equal((await putRoute("versioned", body, { "if-match": '"1"' })).status, 412);
    const path = "/account/routes/versioned";
    const removed = await app.call({ method: "DELETE", path, headers: bearer(app.key) });
    assert.equal(removed.status, 204);
    assert.equal((await invokeOn(app, "route/versioned", { prompt: "x" })).status, 404);
  });

  test("of one workspace is unknown to another, which can neither call, read nor remove it", async () => {
    const other = await addTenant(app, "Other");
    const headers = bearer(other.key);
    const path = "/account/routes/pair";
    assert.equal((await app.call({ path, headers })).status, 404);
    assert.equal((await app.call({ method: "DELETE", path, headers })).status, 404);
    assert.ok(!(await app.call({ path: "/account/routes", headers })).text.includes("route/pair"));
    assert.ok(!(await app.call({ path: "/v1/models?limit=100", headers })).text.includes("route/pair"));
    assert.equal((await invokeOn({ ...app, key: other.key }, "route/pair", { prompt: "x" })).status, 404);
    assert.equal((await readOn(app, path)).status, 200, "it is still there");
  });

  test("of the server opens it to every workspace; a workspace's own comes first", async () => {
    const shared = { targets: [{ model: "two/draw" }] };
    assert.equal((await asAdmin({ method: "PUT", path: "/admin/routes/shared", body: shared })).status, 201);
    assert.equal(memberOf((await call("shared", {})).answer.json(), "made_by"), "two");
    await aRoute("shared", "one/draw");
    assert.equal(memberOf((await call("shared", {})).answer.json(), "made_by"), "one");
    const listed = await asAdmin({ path: "/admin/routes" });
    assert.deepEqual(
      listOf(listed.json(), "data").map((each) => [memberOf(each, "id"), memberOf(each, "scope")]),
      [["route/shared", "server"]],
    );
  });
});
