// The dialect at the rim of a whole server: the names of public clients reach the same operations as ours do, and without
// the switch there is no trace of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestApp, testApp } from "./support/test-app.ts";

let plain: TestApp;
let app: TestApp;

before(async () => {
  plain = await testApp();
  app = await testApp({ beside: plain, env: { ATELIER_DIALECT: "comfy" } });
});
after(async () => {
  await app.close();
  await plain.close();
});

const asked = (at: TestApp, path: string, headers: Record<string, string> = {}) =>
  fetch(`${at.baseUrl}${path}`, { headers: { "x-api-key": at.key, ...headers } });

test("the router is found under both names, and both say the same", async () => {
  const ours = await asked(app, "/v1/models?page_size=3");
  const theirs = await asked(app, "/v2/models?page_size=3");
  assert.equal(theirs.status, 200);
  assert.deepEqual(await theirs.json(), await ours.json());
  assert.equal(theirs.headers.get("x-comfy-request-id"), theirs.headers.get("x-service-request-id"));
  const missing = await asked(app, "/v2/models/nobody/nothing");
  assert.equal(missing.status, 404);
  assert.equal(missing.headers.get("x-comfy-error-type"), "model_not_found");
});

test("only whole segments in the exact spelling are names", async () => {
  for (const path of ["/v2/modelsx", "/V2/models", "/v2//models", "/v2/%6dodels", "/x/v2/models"]) {
    const answer = await asked(app, path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get("x-comfy-error-type"), null, path);
  }
});

test("without the switch nothing answers to the other names, and no answer carries them", async () => {
  const answer = await asked(plain, "/v2/models");
  assert.equal(answer.status, 404);
  const names = [...(await asked(plain, "/v1/models")).headers.keys()];
  assert.deepEqual(
    names.filter((name) => name.includes("comfy") || name.startsWith("x-concurrency")),
    [],
  );
});
