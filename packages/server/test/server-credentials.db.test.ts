// This server's credentials at providers, entered while it runs.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { type AppRequest, bearer } from "./support/app-client.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

describe("credentials entered by operators", () => {
  const value = "a-key-that-stays-secret-0123456789";
  const setting = "ATELIER_PROVIDER_LATE_KEY";
  const path = "/admin/providers/late/credential";
  let app: TestApp;
  const admin = (request: AppRequest) => app.call({ headers: bearer(app.adminToken), ...request });
  before(async () => {
    app = await testApp();
    const late = aDefinition("late", {
      credential: { kind: "bearer", setting },
      models: [aModel({ released: true })],
    });
    assert.equal((await putProvider(app, late)).status, 201);
  });
  after(() => app.close());

  const served = async () => {
    const { text } = await admin({ path: "/admin/providers/late" });
    return (JSON.parse(text) as { models: { served: boolean }[] }).models.map((model) => model.served);
  };

  test("take effect at once, without a restart, and are never shown, logged or audited", async () => {
    assert.deepEqual(await served(), [false]);
    const put = await admin({ method: "PUT", path, body: { value } });
    assert.equal(put.status, 200, put.text);
    assert.equal((JSON.parse(put.text) as { source: string }).source, "stored");
    assert.deepEqual(await served(), [true]);
    const seen = await Promise.all(
      ["/admin/provider-credentials", "/admin/providers/late", "/admin/audit?action=server_credential.put"].map(
        async (each) => (await admin({ path: each })).text,
      ),
    );
    assert.match(seen[2] ?? "", /server_credential\.put/);
    for (const text of [put.text, ...seen, ...app.logged]) assert.ok(!text.includes(value));
    const rows = await app.database.query(sql`select sealed from server_provider_credentials`);
    assert.ok(!JSON.stringify(rows).includes(value));
  });

  test("reach other processes of the service too", async () => {
    const other = await testApp({ beside: app });
    const { text } = await other.call({ path: "/admin/providers/late", headers: bearer(app.adminToken) });
    await other.close();
    assert.match(text, /"credential_configured":true/);
  });

  test("are not sent by a definition that later points elsewhere", async () => {
    const moved = aDefinition("late", {
      base_url: "https://elsewhere.example",
      credential: { kind: "bearer", setting },
      models: [aModel({ released: true })],
    });
    assert.equal((await putProvider(app, moved)).status, 200);
    assert.deepEqual(await served(), [false]);
  });

  test("are gone once removed; removing an unknown one is 404, and an invalid one is 400", async () => {
    assert.equal((await admin({ method: "DELETE", path })).status, 204);
    assert.equal((await admin({ method: "DELETE", path })).status, 404);
    assert.equal((await admin({ method: "PUT", path: path.replace("late", "none"), body: { value } })).status, 404);
    assert.equal((await admin({ method: "PUT", path, body: { value: "with a\nline" } })).status, 400);
  });

  test("are listed for shipped providers with the name of their setting", async () => {
    const { text } = await admin({ path: "/admin/provider-credentials" });
    const { data } = JSON.parse(text) as { data: { setting: string; source: string }[] };
    assert.ok(data.length > 3);
    for (const each of data) assert.match(each.setting, /^ATELIER_PROVIDER_/);
  });

  test("are required: without one a provider is not called, and its check says which setting is missing", async () => {
    const check = await admin({ method: "POST", path: "/admin/providers/late/check" });
    assert.equal(check.status, 200, check.text);
    assert.match(check.text, /"not_checked".*ATELIER_PROVIDER_LATE_KEY/);
  });

  test("cannot be reached by API keys", async () => {
    for (const request of [
      { path: "/admin/provider-credentials" },
      { method: "PUT", path, body: { value } },
      { method: "DELETE", path },
      { method: "POST", path: "/admin/providers/late/check" },
    ] as const)
      assert.equal((await app.call({ ...request, headers: bearer(app.key) })).status, 401);
  });
});
