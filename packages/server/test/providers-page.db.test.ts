// A provider written by following docs/PROVIDER-DEFINITIONS.md alone. The page's own example and fixtures pass the check
// verbatim and run through a whole app against a provider on loopback, and the schemas for editors accept them. Of the
// shipped providers, exactly those are served whose variable is set.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  type ConformanceReport,
  checkProvider,
  type ScriptedProvider,
  scriptedProvider,
} from "../src/capabilities/conformance/index.ts";
import { priceChecks } from "../src/capabilities/prices/index.ts";
import { providerRecords } from "../src/capabilities/providers/index.ts";
import { serverCommands } from "../src/main.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { commandInput } from "./support/command-input.ts";
import { readJsonFile, shippedFiles } from "./support/shipped-definitions.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { testDatabase } from "./support/test-database.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/PROVIDER-DEFINITIONS.md"), "utf8");
const blocks = [...page.matchAll(/^```json[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
const definition = readBlock('"provider": "example"', '"base_url"');
const fixtures = readBlock('"provider": "example"', '"cases"');
const setting = "ATELIER_PROVIDER_EXAMPLE_KEY";
const key = "page-credential-0123456789";

function readBlock(...marks: string[]): Record<string, unknown> {
  const block = blocks.find((text) => marks.every((mark) => text.includes(mark)));
  assert.ok(block, `the page has a block with ${marks.join(" and ")}`);
  return JSON.parse(block);
}

let home: string;
let provider: ScriptedProvider;
let app: TestApp;
let second: TestApp;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-page-"));
  provider = await scriptedProvider();
  app = await testApp({
    env: { ATELIER_PROVIDERS: await fileOf("served.json", ledHome()) },
    credentials: { [setting]: key },
  });
  second = await testApp({ beside: app, credentials: { ATELIER_PROVIDER_BFL_KEY: "never sent anywhere" } });
});
after(async () => {
  await second.close();
  await app.close();
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

const ledHome = () => ({ ...definition, base_url: provider.origin });

async function fileOf(name: string, value: unknown): Promise<string> {
  const path = join(home, name);
  await writeFile(path, JSON.stringify(value));
  return path;
}

const answer = (status: number, body: unknown) => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(body)),
});

// The answers of one of the page's cases, and the requests that got them.
function play(name: string) {
  const cases = listOf(memberOf(memberOf(memberOf(fixtures, "models"), "sketch-2"), "cases"));
  const found = cases.find((one) => memberOf(one, "name") === name);
  const answers = listOf(memberOf(found, "answers")).map((one) =>
    answer(Number(Reflect.get(Object(one), "status") ?? 200), memberOf(one, "body")),
  );
  return { answers, seen: provider.play({ answer: (index) => answers[index] ?? null, onSilence: () => undefined }) };
}

const draw = () =>
  app.call({
    method: "POST",
    path: "/v1/models/example/sketch-2",
    headers: { ...bearer(app.key), "content-type": "application/json" },
    body: { prompt: "a lighthouse at dusk" },
  });

describe("the page's example", () => {
  test("passes the check unchanged", async () => {
    const report = await checkProvider({ checks: priceChecks, definition, fixtures });
    assert.deepEqual(report.findings, []);
    assert.ok(report.cases > 20);
  });

  test("fails the check when it polls by reference the wrong way", async () => {
    const text = JSON.stringify(definition);
    const wrongs: readonly [string, string, RegExp][] = [
      ["/v2/references/", "/v2/reference/", /it looked up \/v2\/reference\//],
      ['"not_found":[404]', '"not_found":[401]', /status 401 was read as not_found instead of unreachable/],
    ];
    for (const [right, wrong, expected] of wrongs) {
      const planted = JSON.parse(text.replace(right, wrong));
      const { findings } = await checkProvider({ checks: priceChecks, definition: planted, fixtures });
      assert.ok(
        findings.some(({ problem }) => expected.test(problem)),
        JSON.stringify(findings),
      );
    }
    const { ask: _, ...model } = Object(Reflect.get(Object(fixtures["models"]), "sketch-2"));
    const silent = { ...fixtures, models: { "sketch-2": model } };
    const { findings } = await checkProvider({ checks: priceChecks, definition, fixtures: silent });
    assert.match(JSON.stringify(findings), /the request that looks up our reference/);
  });

  test("may point to its task by a header instead, and a pointer to another host gets no credential", async () => {
    const { ask: _, ...model } = Object(listOf(definition["models"])[0]);
    const { handle: _handle, path: _path, ...poll } = model.poll;
    const ledBy = (header: string) => {
      const changed = { ...model, recovery: "neither", poll: { ...poll, pending: ["working"], url: { header } } };
      return { ...definition, models: [changed] };
    };
    const answered = JSON.stringify(fixtures).replaceAll(
      '"status":202,"body":{"task":{"id":"t-1","state":"queued"}}',
      '"status":202,"headers":{"Location":"https://api.pictures.example/v2/tasks/t-1"}',
    );
    const check = (header: string) =>
      checkProvider({ checks: priceChecks, definition: ledBy(header), fixtures: JSON.parse(answered) });
    const { findings, cases } = await check("Location");
    assert.deepEqual(findings, []);
    assert.ok(cases > 20);
    const [misnamed] = (await check("Operation-Location")).findings;
    assert.match(
      String(misnamed?.problem),
      /names the header Operation-Location, which no answer has; available: location/,
    );
  });

  test("is served by an app and works: submitted, polled, answered with the provider's bytes, charged for what was used", async () => {
    const { answers, seen } = play("a picture");
    const drawn = await draw();
    assert.equal(drawn.status, 200, drawn.text);
    assert.deepEqual(drawn.bytes, answers.at(-1)?.body);
    // One megapixel at 0.03 USD and 211 credits per USD.
    assert.equal(headerOf(drawn, "x-service-credits-used"), "6.33");
    assert.deepEqual(
      seen.map(({ method, path, headers }) => [method, path, headers.authorization]),
      [
        ["POST", "/v2/sketches", `Bearer ${key}`],
        ["GET", "/v2/tasks/t-1", `Bearer ${key}`],
        ["GET", "/v2/tasks/t-1", `Bearer ${key}`],
      ],
    );
    assert.match(String(seen[0]?.headers["x-client-reference"]), /^[0-9a-f-]{36}$/);
  });

  test("refusals, account problems and failures come out as the page says", async () => {
    const outcomes: readonly [string, number, string][] = [
      ["the prompt is refused at once", 400, "content_policy_violation"],
      ["the picture is held back", 400, "content_policy_violation"],
      ["the task fails", 502, "provider_error"],
      ["our balance is used up", 502, "provider_error"],
    ];
    for (const [name, status, bucket] of outcomes) {
      play(name);
      const drawn = await draw();
      assert.deepEqual([drawn.status, headerOf(drawn, "x-service-error-type")], [status, bucket], name);
    }
  });

  test("asks for the hold that the page names", () => {
    assert.match(page, /hold of 6\.637487 credits/);
    assert.equal(Math.ceil(1.048576 * 0.03 * 211 * 1e6) / 1e6, 6.637487);
  });
});

describe("the check on the command line", () => {
  const said: string[] = [];
  async function run(words: readonly string[], env: Record<string, string> = {}) {
    const listed = serverCommands.find(({ name }) => name === "models");
    assert.ok(listed);
    return (await listed.load()).run(
      listed,
      commandInput(["check", ...words], {
        isUnicode: false,
        env: { ATELIER_HOME: home, ...env },
        say: (line) => void said.push(line),
      }),
    );
  }
  const reportOf = (data: unknown) => data as ConformanceReport & { live: unknown };

  test("the page's files pass, a planted fault exits with 12 and an explanation, a shipped one is checked by its name", async () => {
    const path = await fileOf("example.json", definition);
    await fileOf("example.fixtures.json", fixtures);
    const good = await run([path]);
    assert.deepEqual([good.exitCode, reportOf(good.data).findings], [undefined, []]);
    const wrong = JSON.parse(JSON.stringify(definition).replace('"blocked"', '"banned"'));
    const bad = await run([await fileOf("wrong.json", wrong), "--fixtures", join(home, "example.fixtures.json")]);
    assert.equal(bad.exitCode, 12);
    assert.match(String(bad.text), /the picture is held back .* was not recognised as an end/);
    assert.match(String(bad.text), /^line \d+ · sketch-2 · no case shows the state "banned" of \/poll\/refused$/m);
    const live = await run([join(home, "wrong.json"), "--live", "--fixtures", join(home, "example.fixtures.json")]);
    assert.match(String(live.text), /No real call was made; fix the findings first/);
    const shipped = await run(["kling"]);
    assert.deepEqual([shipped.exitCode, reportOf(shipped.data).provider], [undefined, "kling"]);
    await assert.rejects(run(["nobody"]), /Shipped: alibaba, anthropic, bfl/);
  });

  test("without fixtures nothing passes", async () => {
    const bare = await run([await fileOf("bare.json", definition)]);
    assert.equal(bare.exitCode, 12);
    assert.match(String(bare.text), /There are no fixtures at .*bare\.fixtures\.json/);
  });

  test("--live makes one real call with the configured credential, and says what it cost", async () => {
    const path = await fileOf("live.json", ledHome());
    await fileOf("live.fixtures.json", fixtures);
    const { seen } = play("a picture");
    const live = await run([path, "--live"], { [setting]: key });
    assert.equal(live.exitCode, undefined, String(live.text));
    const { bytes, ...report } = Object(reportOf(live.data).live);
    assert.deepEqual(report, {
      model: "example/sketch-2",
      outcome: "completed",
      reason: null,
      status: 200,
      held_usd: "0.031458",
      charged_usd: "0.03",
    });
    assert.ok(bytes > 0);
    const host = new URL(provider.origin).host;
    assert.deepEqual(said.splice(0), [
      `One real call of example/sketch-2, with its example, to ${host}: at most 0.031458 USD, which the provider bills to the owner of ${setting}.`,
    ]);
    assert.deepEqual([seen.length, seen[0]?.headers.authorization], [3, `Bearer ${key}`]);
    assert.equal(Object(live.data).recorded, false, "without a database there is nowhere to keep it");
    const database = await testDatabase();
    try {
      play("a picture");
      const kept = await run([path, "--live"], { [setting]: key, DATABASE_URL: database.url });
      assert.equal(Object(kept.data).recorded, true, String(kept.text));
      const { marks } = await providerRecords({
        database,
        checks: { ...priceChecks, targetProblems: () => [] },
      }).snapshot();
      assert.ok(marks.get("example/sketch-2")?.verifiedAt instanceof Date);
      said.splice(0);
    } finally {
      await database.close();
    }
    play("our balance is used up");
    const refused = await run([path, "--live"], { [setting]: key });
    assert.equal(refused.exitCode, 12);
    assert.match(String(refused.text), /our_account/);
    said.length = 0;
    await assert.rejects(
      run([path, "--live"]),
      new RegExp(`No real call was made. Its credential is not configured: set ${setting}. It is sent to ${host}`),
    );
    assert.deepEqual(said, [], "nothing is announced that is not done");
    await assert.rejects(run([path, "--live", "--model", "nothing"], { [setting]: key }), /no model nothing/);
  });
});

describe("the schemas for editors", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const schema = (name: string) => ajv.compile(readJsonFile(join(root, "packages/server", name)));
  const forDefinitions = schema("provider.schema.json");
  const forFixtures = schema("provider-fixtures.schema.json");

  test("accept the page's files and every shipped one, whose $schema points to them", async () => {
    for (const value of [definition, ...(await shippedFiles()).map((one) => one.definition)])
      assert.ok(forDefinitions(value), JSON.stringify(forDefinitions.errors));
    for (const value of [fixtures, ...(await shippedFiles()).map((one) => one.fixtures)])
      assert.ok(forFixtures(value), JSON.stringify(forFixtures.errors));
    for (const { path, definition: one, fixtures: own } of await shippedFiles())
      for (const value of [one, own]) assert.ok(existsSync(resolve(dirname(path), textOf(value["$schema"]))), path);
  });

  test("find what the server would refuse", () => {
    for (const wrong of [
      { ...definition, base_url: "ftp://x" },
      { ...definition, models: [] },
      { ...definition, credential: { kind: "bearer", setting: "MY_KEY" } },
      JSON.parse(JSON.stringify(definition).replace('"per_megapixel"', '"per_pixel"')),
      JSON.parse(JSON.stringify(definition).replace('"means":"refused"', '"means":"forbidden"')),
    ])
      assert.equal(forDefinitions(wrong), false);
  });

  test("explain their members", () => {
    const properties = Object.entries(
      Object(readJsonFile(join(root, "packages/server/provider.schema.json"))["properties"]),
    );
    assert.ok(properties.filter(([, value]) => "description" in Object(value)).length >= 6);
  });
});

describe("providers that ship", () => {
  const idsOn = async (one: TestApp) => {
    const listed = await one.call({ path: "/v1/models?limit=100", headers: bearer(one.key) });
    assert.equal(listed.status, 200, listed.text);
    return listOf(memberOf(listed.json(), "data")).map((model) => textOf(memberOf(model, "id")));
  };

  test("without a credential none is listed, and each answers 404", async () => {
    assert.deepEqual(await idsOn(app), ["example/sketch-2"]);
    const detail = await app.call({ path: "/v1/models/bfl/flux-2-pro", headers: bearer(app.key) });
    assert.equal(detail.status, 404);
  });

  test("one variable lists its models and no others, with their schema", async () => {
    const bfl = (await shippedFiles()).find(({ name }) => name === "bfl");
    const own = listOf(bfl?.definition["models"]).map((model) => `bfl/${textOf(memberOf(model, "model"))}`);
    assert.deepEqual(await idsOn(second), own.sort());
    const document = await second.call({
      path: "/v1/models/bfl/flux-2-pro/openapi.json",
      headers: bearer(second.key),
    });
    assert.equal(document.status, 200);
    assert.match(document.text, /safety_tolerance/);
    const shown = await second.call({ path: "/admin/providers/bfl", headers: bearer(second.adminToken) });
    assert.deepEqual(
      [memberOf(shown.json(), "source"), memberOf(shown.json(), "credential_configured")],
      ["built_in", true],
    );
    assert.ok(!shown.text.includes("never sent anywhere"));
  });
});
