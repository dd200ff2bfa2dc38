// What a running server finds out about itself, for operators only.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer } from "./support/app-client.ts";
import { aDefinition, putProvider } from "./support/provider-example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

describe("GET /admin/checks", () => {
  const secret = "a-credential-that-is-never-shown";
  let app: TestApp;
  before(async () => {
    app = await testApp({ credentials: { ATELIER_PROVIDER_KNOWN_KEY: secret } });
  });
  after(() => app.close());

  const look = async (): Promise<{ text: string; data: readonly Check[] }> => {
    const answer = await app.call({ path: "/admin/checks", headers: bearer(app.adminToken) });
    assert.equal(answer.status, 200, answer.text);
    const { data } = JSON.parse(answer.text) as { data: readonly Check[] };
    return { text: answer.text, data };
  };

  test("checks the database, the disk, the blobs, the key ring and every invariant, and finds them healthy", async () => {
    const { data } = await look();
    for (const name of ["database", "disk", "blobs", "key ring", "invariants"])
      assert.equal(data.find((check) => check.name === name)?.status, "ok", name);
    assert.deepEqual(
      data.filter(({ status }) => status === "problem"),
      [],
    );
  });

  test("a provider without a credential is reported with the name of its setting, and no credential is shown", async () => {
    const setting = "ATELIER_PROVIDER_ABSENT_KEY";
    const put = await putProvider(app, aDefinition("without-key", { credential: { kind: "bearer", setting } }));
    assert.equal(put.status, 201, put.text);
    const { data, text } = await look();
    const found = data.find(({ message }) => message.includes("without-key"));
    assert.equal(found?.status, "warning");
    assert.match(found?.advice ?? "", new RegExp(setting));
    assert.ok(!text.includes(secret));
  });

  test("partners that cannot be called are reported with the settings they need", async () => {
    const { data } = await look();
    const found = data.find(({ message }) => message.startsWith("partner-a "));
    assert.match(found?.advice ?? "", /ATELIER_PARTNER_A_URL and ATELIER_PROVIDER_PARTNER_A_KEY/);
  });

  test("an API key does not open it", async () => {
    assert.equal((await app.call({ path: "/admin/checks", headers: bearer(app.key) })).status, 401);
    assert.equal((await app.call({ path: "/admin/checks" })).status, 401);
  });
});
