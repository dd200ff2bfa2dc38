// How long a call waits for its answer: the call's own limit, else the client's, else the operation's default.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Atelier, fileSource, TimedOut } from "./index.ts";

const asset = {
  id: "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
  url: "http://127.0.0.1:1/c/bytes",
  urls: { self: "/api/v2/assets/x", content: "/api/v2/assets/x/content" },
};
const hash = `blake3:${"0".repeat(64)}`;
const large = new Blob([new Uint8Array(8)]);

// Uploads, downloads and model runs never answer; everything around them does.
const fetchThatHangs: typeof fetch = (input, init = {}) => {
  const { method = "GET", signal } = init;
  const path = new URL(String(input)).pathname;
  if (method === "HEAD") return Promise.resolve(new Response(null, { status: 404 }));
  if (method === "GET" && path === "/api/v2/assets/x") return Promise.resolve(Response.json(asset));
  if (method === "POST" && path === "/api/v2/uploads")
    return Promise.resolve(new Response(null, { status: 201, headers: { location: "/api/v2/uploads/u" } }));
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
};

type Say = (atelier: Atelier, options: { readonly timeoutMs?: number }) => Promise<unknown>;
const calls: Readonly<Record<string, { readonly usualMs: number; readonly say: Say }>> = {
  "models.run": { usualMs: 660_000, say: (atelier, options) => atelier.models.run("a/b", {}, options) },
  "assets.put": { usualMs: 600_000, say: (atelier, options) => atelier.assets.put(large, { hash, ...options }) },
  "assets.download": { usualMs: 600_000, say: (atelier, options) => atelier.assets.download(asset, options) },
  "models.list": { usualMs: 60_000, say: (atelier, options) => Array.fromAsync(atelier.models.list(options)) },
};

for (const [name, { usualMs, say }] of Object.entries(calls)) {
  test(`${name} waits as long as the call says, else the client, else ${usualMs} ms`, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const client = (timeoutMs?: number) =>
      new Atelier({
        baseUrl: "http://127.0.0.1:1",
        apiKey: "",
        maxRetries: 0,
        fetch: fetchThatHangs,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    await endsAfter(t, 300, say(client(300), {}));
    await endsAfter(t, 700, say(client(300), { timeoutMs: 700 }));
    await endsAfter(t, usualMs, say(client(), {}));
  });
}

test("a piece of a large upload waits as long as the client says", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stopped = new AbortController();
  const pieces: number[] = [];
  const counting: typeof fetch = (input, init) => {
    if (init?.method === "PATCH") {
      init.signal?.addEventListener("abort", () => pieces.push(1), { once: true });
    }
    return fetchThatHangs(input, init);
  };
  const atelier = new Atelier({ baseUrl: "http://127.0.0.1:1", apiKey: "", timeoutMs: 300, fetch: counting });
  const put = atelier.assets.put(large, { hash, resumableFromBytes: 1, signal: stopped.signal });
  await settle();
  t.mock.timers.tick(299);
  assert.equal(pieces.length, 0);
  t.mock.timers.tick(1);
  assert.equal(pieces.length, 1);
  stopped.abort();
  await assert.rejects(put);
});

async function endsAfter(t: TestContext, ms: number, call: Promise<unknown>): Promise<void> {
  const thrown: object[] = [];
  const ended = call.catch((error: unknown) => thrown.push(Object(error)));
  await settle();
  t.mock.timers.tick(ms - 1);
  await settle();
  assert.equal(thrown.length, 0, `it waits for ${ms} ms`);
  t.mock.timers.tick(1);
  await ended;
  assert.ok(thrown[0] instanceof TimedOut, String(thrown));
}

// Lets everything happen that needs no time.
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

test("a missing file is named, and so is a folder", async () => {
  await assert.rejects(fileSource("no/such/photo.png"), /Cannot read "no\/such\/photo\.png": no such file/);
  await assert.rejects(fileSource("."), /"\." is not a file/);
});
