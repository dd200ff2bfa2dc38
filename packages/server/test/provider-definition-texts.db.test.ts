// Definitions as text, over HTTP: read from where they are, and checked with a line for every finding, without storing anything.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { DefinitionCheck } from "@atelier/contract";
import { bearer } from "./support/app-client.ts";
import { aDefinition, putProvider } from "./support/provider-example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const shipped = join(import.meta.dirname, "../providers");
const lumaText = readFileSync(join(shipped, "luma.json"), "utf8");
const lumaFixtures = readFileSync(join(shipped, "luma.fixtures.json"), "utf8");
const inFile = JSON.stringify(aDefinition("from-a-file"), null, 4);

let home: string;
let app: TestApp;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-texts-"));
  const path = join(home, "mine.json");
  await writeFile(path, inFile);
  await writeFile(join(home, "mine.fixtures.json"), "{}");
  app = await testApp({ env: { ATELIER_PROVIDERS: path } });
});
after(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const admin = () => bearer(app.adminToken);
const read = async (provider: string) =>
  (await app.call({ path: `/admin/provider-definitions/${provider}`, headers: admin() })).json();

async function check(
  body: { definition: string; fixtures?: string; model?: string },
  status = 200,
): Promise<DefinitionCheck> {
  const answer = await app.call({
    method: "POST",
    path: "/admin/provider-definitions/check",
    headers: admin(),
    body,
  });
  assert.equal(answer.status, status, answer.text);
  return answer.json() as DefinitionCheck;
}

const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split("\n").length;

describe("a definition is read as text", () => {
  test("a shipped one as it is in its file, with its fixtures, even without a credential", async () => {
    assert.deepEqual(await read("luma"), {
      provider: "luma",
      source: "built_in",
      version: null,
      definition: lumaText,
      fixtures: lumaFixtures,
    });
  });

  test("an operator's file as it was written, with the fixtures beside it", async () => {
    const found = await read("from-a-file");
    assert.deepEqual(found, {
      provider: "from-a-file",
      source: "file",
      version: null,
      definition: inFile,
      fixtures: "{}",
    });
  });

  test("a stored one with its version", async () => {
    const definition = aDefinition("stored-text");
    assert.equal((await putProvider(app, definition)).status, 201);
    const found = (await read("stored-text")) as { definition: string };
    assert.deepEqual(JSON.parse(found.definition), definition);
    assert.deepEqual(
      { ...found, definition: "" },
      {
        provider: "stored-text",
        source: "admin",
        version: 1,
        definition: "",
        fixtures: null,
      },
    );
  });

  test("404 for a name that nothing has", async () => {
    const answer = await app.call({ path: "/admin/provider-definitions/nobody", headers: admin() });
    assert.equal(answer.status, 404);
  });
});

describe("a text is checked", () => {
  test("text that is not JSON has the line and column where it ends to be", async () => {
    const { findings, provider } = await check({ definition: '{\n  "provider": "x",\n  oops\n}' });
    assert.equal(provider, null);
    assert.deepEqual(
      findings.map(({ line, column, in: where }) => [where, line, column]),
      [["definition", 3, 3]],
    );
  });

  test("each problem of the format is at its line", async () => {
    const text = JSON.stringify({ ...aDefinition("x"), base_url: "https://a.example/?q=1", more: 1 }, null, 2);
    const unknown = await check({ definition: text });
    assert.equal(unknown.findings.length, 1);
    const other = JSON.stringify({ ...aDefinition("x"), base_url: "https://a.example/?q=1" }, null, 2);
    const [found, ...rest] = (await check({ definition: other })).findings;
    assert.deepEqual(rest, []);
    assert.equal(found?.path, "/base_url");
    assert.equal(found.line, lineOf(other, "https://a.example"));
  });

  test("a host inside the network is a finding, as it would be when it is stored", async () => {
    const { findings } = await check({
      definition: JSON.stringify({ ...aDefinition("x"), base_url: "https://10.0.0.5" }),
    });
    assert.equal(findings.length, 1, JSON.stringify(findings));
    assert.equal(findings[0]?.path, "/base_url");
  });

  test("without fixtures nothing is tried, and the prices are told", async () => {
    const { cases, findings, models, prices, provider } = await check({ definition: JSON.stringify(aDefinition("x")) });
    assert.deepEqual([provider, cases, findings, models], ["x", 0, [], ["sketch-2"]]);
    assert.equal(prices[0]?.example_usd, "0.02");
  });

  test("with fixtures one model or all are tried on loopback", async () => {
    const one = await check({ definition: lumaText, fixtures: lumaFixtures, model: "photon-1" });
    const all = await check({ definition: lumaText, fixtures: lumaFixtures });
    assert.deepEqual([one.findings, all.findings], [[], []]);
    assert.ok(one.cases > 0 && all.cases > one.cases, `${one.cases} of ${all.cases}`);
  });

  test("a planted fault is found at the line of the case that shows it, and a wrong pointer at the line of the definition", async () => {
    const fixtures = JSON.parse(lumaFixtures);
    const [first] = fixtures.models["photon-1"].cases;
    first.charged_usd = "7.77";
    const changed = JSON.stringify(fixtures, null, 2);
    const charged = await check({ definition: lumaText, fixtures: changed, model: "photon-1" });
    const found =
      charged.findings.find((each) => each.case === first.name) ?? assert.fail(JSON.stringify(charged.findings));
    assert.equal(found.in, "fixtures", JSON.stringify(charged.findings));
    const before = changed.split("\n").slice(0, found.line).join("\n");
    assert.ok(before.includes('"photon-1"') && before.length < changed.indexOf("7.77"));

    const definition = JSON.parse(lumaText);
    const index = definition.models.findIndex(({ model }: { readonly model: string }) => model === "photon-1");
    definition.models[index].poll.state = "/nowhere";
    const text = JSON.stringify(definition, null, 2);
    const wrong = await check({ definition: text, fixtures: lumaFixtures, model: "photon-1" });
    const at =
      wrong.findings.find((each) => each.path.endsWith("/poll/state")) ?? assert.fail(JSON.stringify(wrong.findings));
    assert.equal(at.in, "definition");
    assert.match(text.split("\n")[at.line - 1] ?? "", /^ *"state"/);
  });

  test("400 for a model that the definition does not have", async () => {
    await check({ definition: lumaText, fixtures: lumaFixtures, model: "nobody" }, 400);
  });

  test("nothing is stored", async () => {
    await check({ definition: JSON.stringify(aDefinition("never-stored")) });
    assert.equal((await app.call({ path: "/admin/providers/never-stored", headers: admin() })).status, 404);
  });

  test("an API key is refused", async () => {
    const answer = await app.call({
      method: "POST",
      path: "/admin/provider-definitions/check",
      headers: bearer(app.key),
      body: { definition: "{}" },
    });
    assert.ok([401, 403].includes(answer.status), answer.text);
  });
});
