// Bytes arrive unchanged, however often and in whatever form they are sent.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import type { ByteSource } from "../byte-source.ts";
import { newRequestId } from "../ids.ts";
import type { BytesAnswer } from "./area.ts";
import { sendAnswer } from "./send-answer.ts";

const everyByte = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);
const answers: Readonly<Record<string, BytesAnswer>> = {
  "/prepared": { status: 200, body: everyByte },
  // A view in the middle of a larger buffer: only its own bytes may be sent.
  "/view": { status: 200, body: everyByte.subarray(100, 300) },
  "/large": { status: 200, body: new Uint8Array(200_000).fill(0xe9) },
  "/text": { status: 200, body: "price: 5 €, naïve" },
  "/nothing": { status: 200 },
  "/unchanged": { status: 304, body: everyByte },
  "/refused": { status: 400, body: "no" },
};

// Blocks that are reused as soon as the rules of a source allow it.
const sources = {
  closed: 0,
  of(blocks: number, failsAt = Number.POSITIVE_INFINITY): ByteSource {
    const memory = [new Uint8Array(100_000), new Uint8Array(100_000)];
    let at = 0;
    return {
      async next() {
        if (at === failsAt) throw new Error("torn");
        return at === blocks ? null : (memory[at % 2]?.fill(at++ % 256) ?? null);
      },
      async close() {
        sources.closed++;
      },
    };
  },
};

const server = createServer((request, response) => {
  const context = {
    requestId: newRequestId(),
    isHead: request.method === "HEAD",
    isDraining: false,
    extraHeaders: null,
  };
  const [, blocks, failsAt] = /^\/source\/(\d+)(?:\/(\d+))?$/.exec(request.url ?? "") ?? [];
  const body = blocks === undefined ? null : sources.of(Number(blocks), failsAt ? Number(failsAt) : undefined);
  const answer = body ? { status: 200, body } : (answers[request.url ?? ""] ?? { status: 404 });
  const sent = sendAnswer(response, answer, context);
  sent?.catch(() => response.writeHead(500).end("told"));
});

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const ask = async (path: string, method = "GET") => {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });
  return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
};

test("every byte value arrives unchanged, the first time and every later time", async () => {
  for (let time = 0; time < 5; time++) {
    const prepared = await ask("/prepared");
    assert.deepEqual(prepared.bytes, everyByte);
    assert.equal(prepared.answer.headers.get("content-length"), "1024");
    assert.deepEqual((await ask("/view")).bytes, everyByte.subarray(100, 300));
  }
});

test("large bodies are sent as they are, again and again", async () => {
  for (let time = 0; time < 3; time++) {
    const { bytes } = await ask("/large");
    assert.equal(bytes.length, 200_000);
    assert.ok(bytes.every((byte) => byte === 0xe9));
  }
});

test("large bodies asked for at once all arrive, in order on each connection, also when a client leaves meanwhile", async () => {
  const { port } = server.address() as AddressInfo;
  const one = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
  const last = "GET /view HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const lines = Array.from({ length: 8 }, () => connect({ host: "127.0.0.1", port }));
  await Promise.all(lines.map((line) => once(line, "connect")));
  for (const line of lines) line.write(`${one}${one}${last}`);
  const [leaver, ...others] = lines;
  leaver?.on("error", () => {}).destroy();
  const heads = /HTTP\/1\.1 200 OK.*?content-length: (\d+)\r\n/gis;
  for (const line of others) {
    const read: Buffer[] = [];
    for await (const piece of line) read.push(piece);
    const text = Buffer.concat(read).toString("latin1");
    assert.deepEqual(
      [...text.matchAll(heads)].map(([, length]) => length),
      ["200000", "200000", "200"],
    );
    assert.equal(text.split("\xe9").length - 1, 400_001);
  }
});

test("text is sent as UTF-8 with the length of its bytes", async () => {
  const { answer, bytes } = await ask("/text");
  assert.equal(new TextDecoder().decode(bytes), "price: 5 €, naïve");
  assert.equal(answer.headers.get("content-length"), String(bytes.length));
});

test("HEAD gives the length and sends nothing; 304 has neither; an empty answer has length 0", async () => {
  const head = await ask("/prepared", "HEAD");
  assert.equal(head.answer.headers.get("content-length"), "1024");
  assert.equal(head.bytes.length, 0);
  const unchanged = await ask("/unchanged");
  assert.equal(unchanged.answer.headers.get("content-length"), null);
  assert.equal(unchanged.bytes.length, 0);
  assert.equal((await ask("/nothing")).answer.headers.get("content-length"), "0");
});

test("every answer carries a request id and nosniff; refusals are not stored", async () => {
  const { answer } = await ask("/refused");
  assert.match(answer.headers.get("x-service-request-id") ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.equal(answer.headers.get("cache-control"), "no-store");
});

test("a source whose blocks are used again arrives unchanged, and is closed", async () => {
  for (const blocks of [0, 1, 2, 40]) {
    const before = sources.closed;
    const { bytes } = await ask(`/source/${blocks}`);
    assert.equal(bytes.length, blocks * 100_000);
    for (let block = 0; block < blocks; block++) {
      assert.ok(bytes.subarray(block * 100_000, (block + 1) * 100_000).every((byte) => byte === block));
    }
    // The client may have its last byte before the source is closed.
    while (sources.closed === before) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(sources.closed, before + 1);
  }
  assert.equal((await ask("/source/3", "HEAD")).bytes.length, 0);
});

test("a source that fails at once becomes an error, and one that fails later never looks complete", async () => {
  const failed = await ask("/source/3/0");
  assert.equal(failed.answer.status, 500);
  await assert.rejects(ask("/source/3/2"));
});

test("a source is closed when its client goes away half way", async () => {
  const before = sources.closed;
  const gone = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/source/1000000`, {
    signal: gone.signal,
  });
  await answer.body?.getReader().read();
  gone.abort();
  while (sources.closed === before) await new Promise((resolve) => setTimeout(resolve, 5));
});
