import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { at, bodyOf, hasEnded, type SandboxClient, sandboxClient, small } from "../../test/support/sandbox-client.ts";

let sandbox: SandboxClient;
before(async () => {
  sandbox = await sandboxClient();
});
after(() => sandbox.close());

interface Received {
  readonly status: number;
  readonly promisedBytes: number;
  readonly bytes: number;
  readonly pieces: number;
  readonly error: string | null;
}

// What a client sees of an answer that may break off.
function observe(model: string, body: object, reference: string): Promise<Received> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "x-request-reference": reference };
    const sent = request(`${sandbox.url}/v1/${model}`, { method: "POST", headers, agent: false }, (answer) => {
      let [bytes, pieces] = [0, 0];
      const end = (error: string | null) =>
        resolve({
          status: answer.statusCode ?? 0,
          promisedBytes: Number(answer.headers["content-length"]),
          bytes,
          pieces,
          error,
        });
      answer.on("data", (data: Buffer) => {
        bytes += data.length;
        pieces += 1;
      });
      answer.on("end", () => end(null));
      answer.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    });
    sent.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, promisedBytes: 0, bytes: 0, pieces: 0, error: error.code ?? error.message }),
    );
    sent.end(JSON.stringify(body));
  });
}

const referenced = async (reference: string) => bodyOf(await sandbox.get(`/v1/references/${reference}`));

describe("direct models", () => {
  test("refuse: HTTP 200 with a policy error, for every model that takes a prompt", async () => {
    for (const model of ["image-1", "voice-1", "text-1"]) {
      const answer = await sandbox.post(
        model,
        { prompt: "x", simulate: "refuse" },
        { "x-request-reference": `refuse-${model}` },
      );
      assert.equal(answer.status, 200);
      assert.equal(at(await bodyOf(answer), "error", "code"), "content_policy");
      assert.equal((await referenced(`refuse-${model}`))["status"], "REFUSED");
    }
  });

  test("fail: 500 with a failure code", async () => {
    const answer = await sandbox.post("image-1", { ...small, simulate: "fail" });
    assert.deepEqual([answer.status, at(await bodyOf(answer), "error", "code")], [500, "generation_failed"]);
  });

  test("reset: also a request that came before the previous answer was finished", async () => {
    const { hostname, port } = new URL(sandbox.url);
    const asked = (body: object) => {
      const text = JSON.stringify({ prompt: "x", ...body });
      const head = `POST /v1/text-1 HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json`;
      return `${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    };
    const cut = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      socket.on("end", () => resolve("ended in order"));
      socket.write(asked({ simulate: "drip", simulate_seconds: 2 }) + asked({ simulate: "reset" }));
      socket.resume();
    });
    assert.equal(cut, "ECONNRESET");
  });

  test("html: a 502 page, and nothing ran", async () => {
    const answer = await sandbox.post("image-1", { ...small, simulate: "html" }, { "x-request-reference": "html" });
    assert.equal(answer.status, 502);
    assert.match(String(answer.headers.get("content-type")), /^text\/html/);
    assert.partialDeepStrictEqual(await referenced("html"), { runs: 0, submissions: 1, status: "REJECTED" });
  });

  test("rate_limit: 429 with Retry-After, every time, and nothing ran", async () => {
    for (let time = 0; time < 2; time++) {
      const answer = await sandbox.post(
        "image-1",
        { ...small, simulate: "rate_limit", simulate_seconds: 1.5 },
        { "x-request-reference": "rate" },
      );
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "2"]);
    }
    assert.partialDeepStrictEqual(await referenced("rate"), { runs: 0, submissions: 2, status: "REJECTED" });
  });

  test("reset: the connection breaks, but the work is done and can be looked up", async () => {
    const seen = await observe("image-1", { ...small, simulate: "reset" }, "reset");
    assert.equal(seen.error, "ECONNRESET");
    const record = await referenced("reset");
    assert.partialDeepStrictEqual(record, {
      runs: 1,
      status: "SUCCEEDED",
      response: { status: 200, content_type: "application/json" },
    });
    const answer: unknown = JSON.parse(Buffer.from(String(at(record, "response", "body_base64")), "base64").toString());
    assert.equal(at(answer, "seed"), 42);
  });

  test("truncate: the head announces more bytes than arrive", async () => {
    const seen = await observe("image-1", { ...small, simulate: "truncate", response_format: "b64_json" }, "truncate");
    assert.equal(seen.status, 200);
    assert.equal(seen.bytes, Math.floor(seen.promisedBytes / 2));
    assert.notEqual(seen.error, null);
    assert.equal((await referenced("truncate"))["status"], "SUCCEEDED");
  });

  test("drip: the whole body arrives, in many pieces", async () => {
    const seen = await observe("image-1", { ...small, simulate: "drip", simulate_seconds: 0.6 }, "drip");
    assert.deepEqual([seen.error, seen.bytes], [null, seen.promisedBytes]);
    assert.ok(seen.pieces >= 3, String(seen.pieces));
  });

  test("hang: silence, then the answer", async () => {
    const answer = await sandbox.post("text-1", { prompt: "x", simulate: "hang", simulate_seconds: 0.3 });
    assert.equal(answer.status, 200);
  });

  test("hang: a client that leaves ends it", async () => {
    const leaving = new AbortController();
    const call = fetch(`${sandbox.url}/v1/image-1`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-request-reference": "hang" },
      body: JSON.stringify({ ...small, simulate: "hang" }),
      signal: leaving.signal,
    }).catch(() => "left");
    await sandbox.getUntil("/v1/references/hang", (body) => body["status"] === "RUNNING");
    leaving.abort();
    assert.equal(await call, "left");
    assert.partialDeepStrictEqual(await sandbox.getUntil("/v1/references/hang", hasEnded), {
      runs: 1,
      status: "CANCELLED",
    });
  });

  test("simulate_seconds alone: slow work, which goes on after the client has left", async () => {
    const leaving = new AbortController();
    const call = fetch(`${sandbox.url}/v1/image-1`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-request-reference": "slow" },
      body: JSON.stringify({ ...small, simulate_seconds: 0.4 }),
      signal: leaving.signal,
    }).catch(() => "left");
    await sandbox.getUntil("/v1/references/slow", (body) => body["status"] === "RUNNING");
    leaving.abort();
    assert.equal(await call, "left");
    const record = await sandbox.getUntil("/v1/references/slow", hasEnded);
    assert.partialDeepStrictEqual(record, { runs: 1, status: "SUCCEEDED", response: { status: 200 } });
  });
});

describe("queued models", () => {
  const endOf = async (model: string, body: object) => {
    const accepted = await bodyOf(await sandbox.post(model, body));
    return sandbox.getUntil(String(accepted["status_url"]), hasEnded);
  };

  test("refuse and fail: the task is accepted and ends that way", async () => {
    const refused = await endOf("image-1-queued", { ...small, simulate: "refuse" });
    assert.deepEqual(
      [refused["status"], at(refused, "error", "code"), refused["result"]],
      ["REFUSED", "content_policy", undefined],
    );
    const failed = await endOf("image-1-queued", { ...small, simulate: "fail" });
    assert.deepEqual([failed["status"], at(failed, "error", "code")], ["FAILED", "generation_failed"]);
  });

  test("a refused clip says what it cost", async () => {
    const refused = await endOf("video-1", { ...small, seconds: 3, simulate: "refuse" });
    assert.deepEqual([refused["status"], at(refused, "usage", "seconds")], ["REFUSED", 3]);
  });

  test("hang: the task runs for the given seconds, then succeeds", async () => {
    const ended = await endOf("image-1-queued", { ...small, simulate: "hang", simulate_seconds: 0.3 });
    assert.equal(ended["status"], "SUCCEEDED");
  });

  test("reset at submission: the task was accepted and is found by its reference", async () => {
    const seen = await observe("image-1-queued", { ...small, simulate: "reset" }, "queued-reset");
    assert.equal(seen.error, "ECONNRESET");
    const record = await sandbox.getUntil("/v1/references/queued-reset", hasEnded);
    assert.partialDeepStrictEqual(record, { runs: 1, status: "SUCCEEDED" });
    assert.equal((await bodyOf(await sandbox.get(String(record["status_url"]))))["status"], "SUCCEEDED");
  });

  test("html and rate_limit at submission: no task, nothing ran", async () => {
    assert.equal(
      (await sandbox.post("image-1-queued", { ...small, simulate: "html" }, { "x-request-reference": "queued-html" }))
        .status,
      502,
    );
    assert.equal((await sandbox.post("video-1", { ...small, simulate: "rate_limit" })).status, 429);
    const record = await referenced("queued-html");
    assert.deepEqual([record["runs"], record["task_id"]], [0, undefined]);
  });
});
