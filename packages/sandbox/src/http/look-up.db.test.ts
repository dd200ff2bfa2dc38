import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { bodyOf, hasEnded, type SandboxClient, sandboxClient, small } from "../../test/support/sandbox-client.ts";

let sandbox: SandboxClient;
before(async () => {
  sandbox = await sandboxClient();
});
after(() => sandbox.close());

const sha256 = (bytes: string) => createHash("sha256").update(bytes).digest("hex");

test("a reference gives the hash of the received bytes, and the answer again byte for byte", async () => {
  const body = '{ "prompt":"x" ,"seed":18446744073709551615, "width":64,"height":64,"unknown":[1.0] }';
  const answer = await sandbox.post("image-1", body, { "x-request-reference": "ref/one:1" });
  const bytes = await answer.text();
  const record = await bodyOf(await sandbox.get(`/v1/references/${encodeURIComponent("ref/one:1")}`));
  assert.partialDeepStrictEqual(record, {
    reference: "ref/one:1",
    model: "image-1",
    runs: 1,
    submissions: 1,
    status: "SUCCEEDED",
    request_sha256: sha256(body),
  });
  const again = await sandbox.get(`/v1/references/${encodeURIComponent("ref/one:1")}/response`);
  assert.equal(again.status, 200);
  assert.equal(await again.text(), bytes);
});

test("audio can be looked up as bytes too", async () => {
  const answer = await sandbox.post("voice-1", { prompt: "hello", seed: 1 }, { "x-request-reference": "voice" });
  const again = await sandbox.get("/v1/references/voice/response");
  assert.equal(again.headers.get("content-type"), "audio/wav");
  assert.deepEqual(Buffer.from(await again.arrayBuffer()), Buffer.from(await answer.arrayBuffer()));
});

test("an unknown reference is 404, a malformed one is refused at submission", async () => {
  assert.equal((await sandbox.get("/v1/references/none")).status, 404);
  assert.equal((await sandbox.get("/v1/references/none/response")).status, 404);
  assert.equal((await sandbox.post("text-1", { prompt: "x" }, { "x-request-reference": "x".repeat(256) })).status, 400);
});

test("a direct model runs as often as it is called, so that a second dispatch shows", async () => {
  for (let time = 0; time < 3; time++)
    await (await sandbox.post("text-1", { prompt: "x", seed: 1 }, { "x-request-reference": "thrice" })).text();
  assert.partialDeepStrictEqual(await bodyOf(await sandbox.get("/v1/references/thrice")), { runs: 3, submissions: 3 });
});

test("a queued model runs once per reference, however many submit at the same time", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sandbox.post("image-1-queued", small, { "x-request-reference": "twins" })),
  );
  const ids = new Set(await Promise.all(answers.map(async (answer) => (await bodyOf(answer))["id"])));
  assert.equal(ids.size, 1);
  const record = await sandbox.getUntil("/v1/references/twins", hasEnded);
  assert.partialDeepStrictEqual(record, { runs: 1, submissions: 20, status: "SUCCEEDED" });
});

test("another request under a queued reference is 409 and changes nothing", async () => {
  await sandbox.post("image-1-queued", small, { "x-request-reference": "taken" });
  assert.equal(
    (await sandbox.post("image-1-queued", { ...small, seed: 43 }, { "x-request-reference": "taken" })).status,
    409,
  );
  assert.equal((await sandbox.post("video-1", small, { "x-request-reference": "taken" })).status, 409);
  assert.partialDeepStrictEqual(await sandbox.getUntil("/v1/references/taken", hasEnded), { runs: 1, submissions: 1 });
});

test("an answer that is not ready yet is 409 with Retry-After", async () => {
  await sandbox.post("image-1-queued", { ...small, simulate_seconds: 0.5 }, { "x-request-reference": "early" });
  const early = await sandbox.get("/v1/references/early/response");
  assert.deepEqual([early.status, early.headers.get("retry-after")], [409, "1"]);
  await sandbox.getUntil("/v1/references/early", hasEnded);
  assert.equal((await bodyOf(await sandbox.get("/v1/references/early/response")))["status"], "SUCCEEDED");
});

test("stats list runs per reference and the totals", async () => {
  const stats = await bodyOf(await sandbox.get("/v1/stats"));
  assert.partialDeepStrictEqual(stats, {
    most_runs_of_one_reference: 3,
    references: { thrice: { runs: 3, submissions: 3, status: "SUCCEEDED" } },
  });
});
