import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import sharp from "sharp";
import { at, bodyOf, hasEnded, type SandboxClient, sandboxClient, small } from "../test/support/sandbox-client.ts";

let sandbox: SandboxClient;
before(async () => {
  sandbox = await sandboxClient();
});
after(() => sandbox.close());

// Sends one request as written and returns everything that comes back.
function wire(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on("data", (data) => {
      received += data;
      socket.end();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

describe("image-1", () => {
  test("the picture at the address is the requested PNG", async () => {
    const body = await bodyOf(await sandbox.post("image-1", { ...small, width: 128 }));
    const file = await sandbox.get(String(at(body, "images", 0, "url")));
    assert.equal(file.headers.get("content-type"), "image/png");
    const { format, width, height } = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    assert.deepEqual([format, width, height], ["png", 128, 64]);
    assert.deepEqual(
      [body["width"], body["height"], body["prompt"], at(body, "usage", "megapixels")],
      [128, 64, small.prompt, 0.008192],
    );
  });

  test("the same request gives the same bytes, by address and as base64", async () => {
    const byUrl = await bodyOf(await sandbox.post("image-1", small));
    const inline = await bodyOf(await sandbox.post("image-1", { ...small, response_format: "b64_json" }));
    const file = Buffer.from(await (await sandbox.get(String(at(byUrl, "images", 0, "url")))).arrayBuffer());
    assert.deepEqual(Buffer.from(String(at(inline, "images", 0, "b64_json")), "base64"), file);
    assert.equal(at(inline, "images", 0, "url"), undefined);
  });

  test("a seed of any size is echoed digit for digit", async () => {
    for (const seed of ["18446744073709551615", String(2n ** 200n), "-9007199254740993", "1.0"]) {
      const answer = await sandbox.post("image-1", `{"prompt":"x","width":64,"height":64,"seed": ${seed}}`);
      assert.match(await answer.text(), new RegExp(`"seed":${seed.replace(".", "\\.")},`));
    }
  });

  test("invalid input is 422 with every field named, broken JSON is 400, and nothing runs", async () => {
    const runsBefore = (await bodyOf(await sandbox.get("/v1/stats")))["runs"];
    const wrong = await sandbox.post("image-1", { width: 65, height: 64 });
    assert.equal(wrong.status, 422);
    assert.deepEqual([at(await bodyOf(wrong), "detail", 0, "loc", 1)], ["prompt"]);
    assert.equal((await sandbox.post("image-1", "{")).status, 400);
    assert.equal((await bodyOf(await sandbox.get("/v1/stats")))["runs"], runsBefore);
  });

  test("the default picture is 1024 by 1024", async () => {
    const body = await bodyOf(await sandbox.post("image-1", { prompt: "abstract silk", seed: 1 }));
    assert.deepEqual([body["width"], body["height"]], [1024, 1024]);
  });
});

describe("queued models", () => {
  test("a task goes from QUEUED over RUNNING with progress to SUCCEEDED with the picture", async () => {
    const answer = await sandbox.post("image-1-queued", { ...small, simulate_seconds: 0.4 });
    assert.equal(answer.status, 202);
    const accepted = await bodyOf(answer);
    assert.equal(accepted["status"], "QUEUED");
    const statusUrl = String(accepted["status_url"]);
    assert.equal(statusUrl, `${sandbox.url}/v1/tasks/${accepted["id"]}`);
    const running = await sandbox.getUntil(statusUrl, (body) => body["status"] === "RUNNING");
    assert.ok(Number(running["progress"]) >= 0 && Number(running["progress"]) < 1);
    const ended = await sandbox.getUntil(statusUrl, hasEnded);
    assert.equal(ended["status"], "SUCCEEDED");
    assert.equal(at(ended, "result", "seed"), 42);
    assert.equal((await sandbox.get(String(at(ended, "result", "images", 0, "url")))).status, 200);
  });

  test("a clip is a real animation of the requested length", async () => {
    const accepted = await bodyOf(await sandbox.post("video-1", { ...small, seconds: 2 }));
    const ended = await sandbox.getUntil(String(accepted["status_url"]), hasEnded);
    assert.deepEqual([ended["status"], at(ended, "result", "usage", "seconds")], ["SUCCEEDED", 2]);
    const file = await sandbox.get(String(at(ended, "result", "video", "url")));
    assert.equal(file.headers.get("content-type"), "image/webp");
    const { pages, delay } = await sharp(Buffer.from(await file.arrayBuffer()), { animated: true }).metadata();
    assert.equal(pages, 20);
    assert.equal(
      delay?.reduce((sum, part) => sum + part, 0),
      2000,
    );
  });

  test("an unknown task is 404", async () => {
    assert.equal((await sandbox.get("/v1/tasks/none")).status, 404);
  });
});

describe("voice-1, text-1, open-1", () => {
  test("a voice comes as WAV bytes with the seed in a header", async () => {
    const answer = await sandbox.post("voice-1", '{"prompt":"hello","seed":18446744073709551615}');
    assert.deepEqual(
      [answer.headers.get("content-type"), answer.headers.get("x-seed")],
      ["audio/wav", "18446744073709551615"],
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(bytes.toString("latin1", 0, 4), "RIFF");
    assert.equal(bytes.length, Number(answer.headers.get("content-length")));
  });

  test("a text comes with its tokens and is reproducible", async () => {
    const [once, again] = [
      await bodyOf(await sandbox.post("text-1", { prompt: "a blue door", seed: 5 })),
      await bodyOf(await sandbox.post("text-1", { prompt: "a blue door", seed: 5 })),
    ];
    assert.equal(once["text"], again["text"]);
    assert.ok(Number(at(once, "usage", "output_tokens")) > Number(at(once, "usage", "input_tokens")));
  });

  test("open-1 answers with the very bytes it got", async () => {
    const document = fc.oneof(
      fc
        .tuple(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), fc.constantFrom(undefined, 1, "\t"))
        .map(([value, space]) => JSON.stringify(value, null, space)),
      fc.constantFrom(
        '{"a":1.0,"b":9007199254740993,"c":"\\u00e9\\/"}',
        '{ "simulate" : "refuse" }',
        '\r\n{"x":1e400 , "x":-0}  ',
      ),
    );
    await fc.assert(
      fc.asyncProperty(document, async (text) => {
        const answer = await sandbox.post("open-1", text);
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(text));
        assert.equal(answer.headers.get("content-type"), "application/json");
      }),
      { numRuns: 150 },
    );
  });

  test("open-1 takes a body of 20 MiB and refuses one above 51 MiB", async () => {
    const large = Buffer.from(`{"a":"${"x".repeat(20 * 1024 * 1024)}"}`);
    assert.ok(Buffer.from(await (await sandbox.post("open-1", large)).arrayBuffer()).equals(large));
    const received = await wire(
      sandbox.port,
      `POST /v1/open-1 HTTP/1.1\r\nHost: 127.0.0.1:${sandbox.port}\r\nContent-Type: application/json\r\nContent-Length: ${51 * 1024 * 1024 + 1}\r\n\r\n{`,
    );
    assert.match(received, /^HTTP\/1\.1 413 /);
  });
});

describe("the entrance", () => {
  const requestOf = (host: string, more = "", path = "/v1/stats") =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

  test("only our own Host is answered, and pages are turned away", async () => {
    const own = `127.0.0.1:${sandbox.port}`;
    const cases = [
      [requestOf(own), 200],
      [requestOf(`localhost:${sandbox.port}`), 200],
      [requestOf("evil.example"), 421],
      [requestOf("127.0.0.1"), 421],
      [requestOf(`${own}\r\nHost: ${own}`), 400],
      ["GET /v1/stats HTTP/1.1\r\n\r\n", 400],
      [`GET http://${own}/v1/stats HTTP/1.1\r\nHost: ${own}\r\n\r\n`, 400],
      [requestOf(own, "Origin: https://evil.example\r\n"), 403],
      [requestOf(own, "Origin: null\r\n"), 403],
      [requestOf(own, "Sec-Fetch-Site: cross-site\r\n"), 403],
      [requestOf(own, "Sec-Fetch-Site: cross-site\r\n", "/files/none.png"), 404],
      [requestOf(own, "", "/v1/none"), 404],
      [requestOf(own, "", "/v1/image-1"), 405],
    ] as const;
    for (const [text, status] of cases)
      assert.match(await wire(sandbox.port, text), new RegExp(`^HTTP/1\\.1 ${status} `), text);
  });

  test("a body whose content type is not JSON is 415", async () => {
    assert.equal((await sandbox.post("open-1", "{}", { "content-type": "text/plain" })).status, 415);
  });

  test("with a credential configured, everything but files and health needs it", async () => {
    const guarded = await sandboxClient({ credential: "a-secret" });
    try {
      assert.equal((await guarded.post("text-1", { prompt: "x" })).status, 401);
      assert.equal((await guarded.post("text-1", { prompt: "x" }, { authorization: "Bearer wrong" })).status, 401);
      assert.equal((await guarded.get("/v1/stats")).status, 401);
      assert.equal((await guarded.get("/health")).status, 200);
      const body = await bodyOf(await guarded.post("image-1", small, { authorization: "Bearer a-secret" }));
      assert.equal((await guarded.get(String(at(body, "images", 0, "url")))).status, 200);
    } finally {
      await guarded.close();
    }
  });

  test("two sandboxes run side by side, and closing one during work leaves nothing behind", async () => {
    const other = await sandboxClient();
    const cut = other.post("image-1", { ...small, simulate: "hang" }).catch((error: unknown) => error);
    await other.getUntil("/v1/stats", (body) => body["runs"] === 1);
    await other.close();
    assert.ok((await cut) instanceof Error);
    assert.equal((await sandbox.get("/health")).status, 200);
  });
});
