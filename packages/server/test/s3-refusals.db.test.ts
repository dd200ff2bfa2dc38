// A whole server whose S3 store throttles or refuses because of the clock: callers learn when to come back, /readyz says
// why, and nothing that was begun is lost.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, textOf } from "./support/app-client.ts";
import { type S3Front, s3Front, tooSkewed } from "./support/s3-front.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { type TestS3, testS3 } from "./support/test-s3.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "s3" } },
};

describe("a server whose S3 store refuses for a while", { timeout: 900_000 }, () => {
  let store: TestS3;
  let front: S3Front;
  let app: TestApp;
  before(async () => {
    store = await testS3();
    front = await s3Front(store);
    app = await testApp({
      env: {
        ATELIER_BLOBS: front.address,
        ATELIER_BLOBS_KEY_ID: front.credentials.accessKeyId,
        ATELIER_BLOBS_SECRET: front.credentials.secretAccessKey,
        ATELIER_ENGINE_SLOTS: "1",
      },
    });
  });
  after(async () => {
    await app.close();
    await front.close();
    await store.close();
  });

  const upload = async (text: string) => {
    const form = new FormData();
    form.set("content_type", "text/plain");
    form.set("file_path", "a.txt");
    form.set("file", new Blob([text]), "a.txt");
    const answer = await fetch(`${app.baseUrl}/api/v2/assets`, {
      method: "POST",
      headers: bearer(app.key),
      body: form,
    });
    return { status: answer.status, after: answer.headers.get("retry-after"), text: await answer.text() };
  };
  const storeCheck = async () => {
    const answer = await fetch(`${app.baseUrl}/readyz`);
    const { checks } = Object(await answer.json());
    return `${answer.status} ${checks["blob store"].message ?? checks["blob store"].status}`;
  };

  test("throttling: 503 with the store's own delay and not ready; then the same request succeeds", async () => {
    front.answer = () => ({ status: 503, code: "SlowDown", headers: { "retry-after": "2" } });
    const refused = await upload("throttled");
    assert.deepEqual([refused.status, refused.after], [503, "2"], refused.text);
    await until("readiness says why", async () => /^503 .*fewer requests/.test(await storeCheck()));
    front.answer = () => null;
    await until("it is ready again", async () => (await storeCheck()) === "200 ok");
    const taken = await upload("throttled");
    assert.equal(taken.status, 201, taken.text);
  });

  test("clock skew: 503, and readiness says by how much", async () => {
    front.answer = () => tooSkewed(new Date(Date.now() - 30 * 60_000));
    const refused = await upload("skewed");
    assert.deepEqual([refused.status, refused.after], [503, "30"], refused.text);
    assert.doesNotMatch(refused.text, /RequestTimeTooSkewed|127\.0\.0\.1/);
    await until("readiness says why", async () => /^503 .*30 minutes behind this server's/.test(await storeCheck()));
    front.answer = () => null;
    await until("it is ready again", async () => (await storeCheck()) === "200 ok");
    const taken = await upload("skewed");
    assert.equal(taken.status, 201, taken.text);
  });

  test("a job whose output meets a throttling store ends well, with its output, once", async () => {
    const headers = bearer(app.key);
    let puts = 0;
    // More often than one request is retried automatically.
    front.answer = ({ method }) => (method === "PUT" && ++puts <= 9 ? { status: 503, code: "SlowDown" } : null);
    const made = await app.call({ method: "POST", path: "/api/v2/jobs", headers, body: { workflow } });
    assert.equal(made.status, 201, made.text);
    const path = textOf(made.json(), "urls", "self");
    const job = await until("the job has ended", async () => {
      const read = (await app.call({ path, headers })).json();
      return ["succeeded", "failed"].includes(textOf(read, "status")) && Object(read);
    });
    assert.equal(job.status, "succeeded", JSON.stringify(job));
    assert.ok(puts > 9);
    assert.equal(job.outputs.length, 1);
    const bytes = await fetch(job.outputs[0].url, { headers });
    assert.equal(bytes.headers.get("content-type"), "image/png");
  });
});
