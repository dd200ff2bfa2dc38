// Which pages may read bytes of the content origin: our own console by GET, and otherwise only those listed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestApp, testApp } from "./support/test-app.ts";

const studio = "https://studio.example";

describe("readers of the content origin", { timeout: 900_000 }, () => {
  let app: TestApp;
  let url: string;
  before(async () => {
    app = await testApp({ env: { ATELIER_PLATFORM_URL: studio, ATELIER_WEBHOOK_TARGETS: "" } });
    const form = new FormData();
    form.set("content_type", "text/plain");
    form.set("file_path", "a.txt");
    form.set("file", new Blob(["hello"]), "a.txt");
    const headers = { authorization: `Bearer ${app.key}` };
    const made = await fetch(`${app.baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
    const body: unknown = await made.json();
    assert.ok(typeof body === "object" && body !== null && "url" in body, JSON.stringify(body));
    url = String(body.url);
  });
  after(() => app.close());

  const asked = async (origin: string | null, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (origin !== null) headers.set("origin", origin);
    const answer = await fetch(url, { ...init, headers });
    return [answer.status, answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")];
  };

  test("pages of the console read them, without credentials, and caches keep them apart from others", async () => {
    const { origin, port } = new URL(app.baseUrl);
    for (const own of [origin, `http://localhost:${port}`, studio])
      assert.deepEqual(await asked(own), [200, own, "Origin"]);
    const answer = await fetch(url, { headers: { origin } });
    assert.equal(answer.headers.get("access-control-allow-credentials"), null);
  });

  test("other pages can show them and read nothing", async () => {
    for (const other of ["https://evil.example", "null", `${studio}.evil.example`, "http://localhost:1", null])
      assert.deepEqual(await asked(other), [200, null, "Origin"]);
  });

  test("pages of the console may only read there", async () => {
    const { origin } = new URL(app.baseUrl);
    for (const method of ["PUT", "GET"])
      assert.equal(
        (await asked(origin, { method: "OPTIONS", headers: { "access-control-request-method": method } }))[1],
        null,
      );
    assert.equal((await asked(origin, { method: "PUT", body: "x" }))[1], null);
  });
});
