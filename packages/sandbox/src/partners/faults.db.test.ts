import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  face,
  type PartnerClient,
  partnerClient,
  type Receiver,
  receiver,
  secrets,
} from "../../test/support/partner-client.ts";
import { at, bodyOf } from "../../test/support/sandbox-client.ts";

const relightPath = "/partner-a/v1/ai/image-relight";
const videoPath = "/partner-b/prompts/text-to-video";
const film = { prompt_text: "sea", inference_params: { width: 64, height: 64, num_frames: 1 } };

let sandbox: PartnerClient;
let hook: Receiver;
before(async () => {
  sandbox = await partnerClient();
  hook = await receiver();
});
after(async () => {
  await sandbox.close();
  await hook.close();
});
beforeEach(() => {
  hook.letters.length = 0;
});

const statusOf = (body: unknown) => at(body, "data", "status");
const begun = async (more: object) =>
  String(at(await bodyOf(await sandbox.post(relightPath, { image: await face(), ...more })), "data", "task_id"));
const codeOf = (thrown: unknown) =>
  thrown instanceof Error && thrown.cause instanceof Error && "code" in thrown.cause ? thrown.cause.code : thrown;

describe("at submission", () => {
  test("refusals come in the vendor's shape, by header and by body, and nothing runs", async () => {
    const image = await face();
    const cases = [
      ["refuse", 400],
      ["fail", 500],
      ["unavailable", 503],
      ["html", 502],
      ["rate_limit", 429],
    ] as const;
    for (const [fault, status] of cases) {
      const byHeader = await sandbox.post(
        relightPath,
        { image },
        { "x-sandbox-fault": fault, "x-request-reference": `door-${fault}` },
      );
      assert.equal(byHeader.status, status);
      const byBody = await sandbox.post(videoPath, { ...film, simulate: fault });
      assert.equal(byBody.status, status);
      assert.equal((await bodyOf(await sandbox.control("GET", `/v1/references/door-${fault}`)))["runs"], 0);
      if (fault === "html") assert.match(String(byHeader.headers.get("content-type")), /text\/html/);
      if (fault === "rate_limit") assert.equal(byHeader.headers.get("retry-after"), "1");
    }
  });

  test("a reset and a hang end without an answer and without a run", async () => {
    for (const more of [{ simulate: "reset" }, { simulate: "hang", simulate_seconds: 0.1 }]) {
      const seen = await sandbox
        .post(relightPath, { image: await face(), ...more }, { "x-request-reference": `door-${more.simulate}` })
        .catch(codeOf);
      assert.equal(seen, "ECONNRESET");
      assert.equal((await bodyOf(await sandbox.control("GET", `/v1/references/door-${more.simulate}`)))["runs"], 0);
    }
  });

  test("an unknown fault is an error, not a pass", async () => {
    assert.equal((await sandbox.post(relightPath, { image: await face(), simulate: "stuk" })).status, 400);
    assert.equal(
      (await sandbox.control("POST", "/v1/partner-faults", { partner: "partner-a", faults: ["stuk"] })).status,
      400,
    );
  });
});

describe("of a task", () => {
  test("a lost answer was accepted: the task runs and is found by its reference", async () => {
    const seen = await sandbox
      .post(relightPath, { image: await face(), simulate: "lost_answer" }, { "x-request-reference": "lost-answer" })
      .catch(codeOf);
    assert.equal(seen, "ECONNRESET");
    const record = await sandbox.until("/v1/references/lost-answer", (body) => body["status"] === "SUCCEEDED");
    assert.equal(record["runs"], 1);
    assert.equal(statusOf(await bodyOf(await sandbox.get(`${relightPath}/${record["task_id"]}`))), "COMPLETED");
  });

  test("failed, with the reason where the vendor gives one", async () => {
    const id = await begun({ simulate: "task_failed" });
    await sandbox.until(`${relightPath}/${id}`, (body) => statusOf(body) === "FAILED");
    const prompt = await bodyOf(await sandbox.post(videoPath, { ...film, simulate: "task_failed" }));
    const ended = await sandbox.until(`/partner-b/prompts/${prompt["id"]}`, (body) => body["status"] === "error");
    assert.deepEqual([at(ended, "error", "code"), ended["output_url"]], ["generation_failed", undefined]);
  });

  test("stuck stays in progress until it is moved by hand; lost is unknown later", async () => {
    const stuck = await begun({ simulate: "stuck" });
    await sandbox.until(`${relightPath}/${stuck}`, (body) => statusOf(body) === "IN_PROGRESS");
    await pause(200);
    assert.equal(statusOf(await bodyOf(await sandbox.get(`${relightPath}/${stuck}`))), "IN_PROGRESS");
    await sandbox.control("POST", `/v1/partner-tasks/${stuck}`, { to: "failed" });
    await sandbox.until(`${relightPath}/${stuck}`, (body) => statusOf(body) === "FAILED");
    const lost = await begun({ simulate: "lost" });
    for (let attempt = 0; (await sandbox.get(`${relightPath}/${lost}`)).status !== 404; attempt++) {
      assert.ok(attempt < 6_000);
      await pause(10);
    }
  });

  test("manual orders are used up, for submissions and for reads", async () => {
    const order = { partner: "partner-a", faults: ["stuck"], times: 1 };
    assert.equal((await sandbox.control("POST", "/v1/partner-faults", order)).status, 200);
    const stuck = await begun({});
    const free = await begun({});
    await sandbox.until(`${relightPath}/${free}`, (body) => statusOf(body) === "COMPLETED");
    await sandbox.control("POST", "/v1/partner-faults", { partner: "partner-a", faults: ["read_fail"], times: 2 });
    const reads = [];
    for (let read = 0; read < 3; read++) reads.push((await sandbox.get(`${relightPath}/${stuck}`)).status);
    assert.deepEqual(reads, [500, 500, 200]);
    await sandbox.control("POST", "/v1/partner-faults", { partner: "partner-b", faults: ["fail"], times: 9 });
    await sandbox.control("DELETE", "/v1/partner-faults");
    assert.equal((await sandbox.post(videoPath, film)).status, 201);
  });

  test("reads can be broken by a header", async () => {
    const id = await begun({});
    for (const [fault, status] of [
      ["read_html", 502],
      ["read_rate_limit", 429],
      ["read_not_found", 404],
    ] as const)
      assert.equal((await sandbox.get(`${relightPath}/${id}`, { "x-sandbox-fault": fault })).status, status);
    const seen = await sandbox.get(`${relightPath}/${id}`, { "x-sandbox-fault": "read_reset" }).catch(codeOf);
    assert.equal(seen, "ECONNRESET");
  });
});

describe("of callbacks", () => {
  const isSigned = ({ headers, raw }: Receiver["letters"][number]) =>
    headers["webhook-signature"] ===
    `v1,${createHmac("sha256", secrets["partner-a"]).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`).update(raw).digest("base64")}`;
  const statuses = () => hook.letters.map(({ body }) => body["status"]);

  test("a wrong signature does not verify, a stale one is an hour old", async () => {
    await begun({ webhook_url: hook.url, simulate: "callback_wrong_signature" });
    assert.ok((await hook.received(2)).every((letter) => !isSigned(letter)));
    hook.letters.length = 0;
    await begun({ webhook_url: hook.url, simulate: "callback_stale" });
    for (const letter of await hook.received(2)) {
      assert.ok(isSigned(letter));
      assert.ok(Number(letter.headers["webhook-timestamp"]) < Date.now() / 1000 - 3000);
    }
  });

  test("duplicates have the same id, and out of order the end comes first", async () => {
    await begun({ webhook_url: hook.url, simulate: "callback_duplicate" });
    const letters = await hook.received(4);
    assert.deepEqual(statuses(), ["IN_PROGRESS", "IN_PROGRESS", "COMPLETED", "COMPLETED"]);
    assert.equal(new Set(letters.map(({ headers }) => headers["webhook-id"])).size, 2);
    hook.letters.length = 0;
    await begun({ webhook_url: hook.url, simulate: "callback_out_of_order" });
    await hook.received(2);
    assert.deepEqual(statuses(), ["COMPLETED", "IN_PROGRESS"]);
  });

  test("never means never, and skipped states are not sent", async () => {
    const silent = await begun({ webhook_url: hook.url, simulate: "callback_never" });
    await sandbox.until(`${relightPath}/${silent}`, (body) => statusOf(body) === "COMPLETED");
    await begun({ webhook_url: hook.url, simulate: "skip" });
    await hook.received(1);
    await pause(100);
    assert.deepEqual(statuses(), ["COMPLETED"]);
  });
});

test("only the origins in the options are called and read from", async () => {
  const guarded = await partnerClient({ partners: { origins: ["http://127.0.0.1:1"] }, credential: "own" });
  try {
    const headers = { "x-partner-a-api-key": "own" };
    const image = await face();
    assert.equal((await guarded.post(relightPath, { image, webhook_url: hook.url }, headers)).status, 400);
    assert.equal((await guarded.post(relightPath, { image: hook.url }, headers)).status, 400);
    assert.equal(
      (await guarded.post(relightPath, { image, webhook_url: "http://127.0.0.1:1/x" }, headers)).status,
      200,
    );
  } finally {
    await guarded.close();
  }
});

test("closing during work and with stuck tasks leaves nothing behind", async () => {
  const other = await partnerClient();
  await other.post(relightPath, { image: await face(), simulate: "stuck", webhook_url: hook.url });
  await other.post(videoPath, { prompt_text: "sea", inference_params: { num_frames: 60 } });
  await pause(100);
  await other.close();
  assert.equal(hook.letters.length <= 1, true);
});
