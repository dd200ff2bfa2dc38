// The HTTP entrance, over real sockets: what every area can rely on.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { request } from "undici";
import { sendRaw } from "../../../test/support/raw-http.ts";
import { smallAdmission } from "../../../test/support/small-admission.ts";
import { systemClock } from "../clock.ts";
import { Fault } from "../fault.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { type Area, area, jsonAnswer, type Route } from "./area.ts";
import { genericEnvelope } from "./generic-envelope.ts";
import { hostsOf } from "./loopback-guard.ts";
import { peerReader } from "./peer-address.ts";
import { type RunningServer, serve } from "./serve.ts";

const lines: string[] = [];
// Ends the requests that are inside the slow route.
const stalled: (() => void)[] = [];
async function untilStalled(count: number): Promise<void> {
  for (let tries = 0; stalled.length < count && tries < 12_000; tries++) await systemClock.sleep(5);
}
let streamClosed = false;

const route = (
  method: "GET" | "POST",
  path: `/${string}`,
  handle: Route<string>["handle"],
  bodyBytesMax?: number,
): Route<string> => ({
  operation: { id: path, method, path, tag: "t", summary: "s", access: "key", answers: {} },
  handle,
  ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
});

const guarded: Area<string> = {
  name: "guarded",
  prefixes: ["/guarded"],
  cors: "listed",
  envelope: genericEnvelope,
  earlyHeaders: () => ({ "x-early": "yes" }),
  authenticate(arrival) {
    const key = arrival.headers["x-api-key"];
    if (key !== "good") throw new Fault("unauthorized", "No usable credential.");
    return String(key);
  },
  admit(_caller, arrival) {
    if (arrival.headers["x-flood"] !== undefined)
      throw new Fault("rate_limited", "Slow down.", { retryAfterSeconds: 1 });
  },
  routes: [
    route("GET", "/guarded/thing/{id}", (incoming) =>
      jsonAnswer(200, { id: incoming.params["id"], caller: incoming.caller }),
    ),
    route("POST", "/guarded/json", async (incoming) => jsonAnswer(200, { got: await incoming.json() }), 100),
    route("GET", "/guarded/bug", () => {
      throw new Error("secret detail service-0123456789abcdef0123456789");
    }),
    route("GET", "/guarded/later", async () => {
      throw new Fault("rate_limited", "Slow down.", { retryAfterSeconds: 1.2 });
    }),
    route(
      "GET",
      "/guarded/slow",
      () =>
        new Promise((resolve) => {
          stalled.push(() => resolve({ status: 200, body: "done" }));
        }),
    ),
    route("GET", "/guarded/stream", () => ({ status: 200, body: Readable.from(["a", "b", "c"]) })),
    route("GET", "/guarded/endless", (incoming) => {
      incoming.signal.addEventListener("abort", () => {
        streamClosed = true;
      });
      return { status: 200, body: new Readable({ read() {} }) };
    }),
    route("GET", "/guarded/taken", () => ({
      takeOver({ response, headers }) {
        response.writeHead(200, [...headers, "content-type", "text/plain"]);
        response.end("mine");
      },
    })),
  ],
};
const open: Area<undefined> = {
  name: "open",
  prefixes: ["/open"],
  cors: "open",
  envelope: genericEnvelope,
  authenticate: null,
  routes: [
    {
      ...route("GET", "/open", () => ({ status: 200, headers: { etag: '"x"' }, body: "hello" })),
      handle: () => ({ status: 200, body: "hello" }),
    },
  ],
};

const start = (): Promise<RunningServer> =>
  serve({
    areas: [area(guarded), area(open)],
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: createLog({ level: "debug", write: (line) => lines.push(line) }),
    metrics: createMetrics(),
    policy: (port) => ({
      hosts: new Set(hostsOf(["127.0.0.1", "localhost"], port)),
      origins: new Set([`http://127.0.0.1:${port}`, "https://studio.example"]),
      openPaths: new Set(["/open"]),
    }),
    corsOrigins: new Set(["https://studio.example"]),
    readPeer: peerReader([]),
    admission: smallAdmission({ connectionsPerAddressMax: 100 }),
    bufferedBytesMax: 1_000_000,
  });

describe("the front door", () => {
  let server: RunningServer;
  let url: string;
  const key = { "x-api-key": "good" };
  const get = (path: string, headers: Record<string, string> = key) => request(`${url}${path}`, { headers });
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    request(`${url}/guarded/json`, {
      method: "POST",
      headers: { ...key, "content-type": "application/json", ...headers },
      body,
    });

  before(async () => {
    server = await start();
    url = `http://127.0.0.1:${server.port}`;
  });
  after(() => server.stop(1));

  test("every answer carries a fresh request id and nosniff; a caller's id is never adopted", async () => {
    const ids = new Set<unknown>();
    for (const path of ["/open", "/guarded/thing/1", "/nowhere", "/guarded/bug"]) {
      const answer = await get(path, { ...key, "x-service-request-id": "mine" });
      assert.match(String(answer.headers["x-service-request-id"]), /^[0-9a-f-]{36}$/);
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      ids.add(answer.headers["x-service-request-id"]);
      await answer.body.dump();
    }
    assert.equal(ids.size, 4);
  });

  test("authentication comes before everything in an authenticated area, unknown paths and methods included", async () => {
    for (const path of ["/guarded/thing/1", "/guarded/nothing", "/guarded", "/guarded/json"]) {
      const answer = await get(path, {});
      assert.equal(answer.statusCode, 401, path);
      assert.equal(answer.headers["www-authenticate"], "Bearer");
      await answer.body.dump();
    }
  });

  test("an unknown path is 404 in its area's envelope, a known one with another method 405 with Allow", async () => {
    const missing = await get("/guarded/nothing");
    assert.deepEqual(
      [missing.statusCode, ((await missing.body.json()) as { error: string }).error],
      [404, "not_found"],
    );
    const wrong = await request(`${url}/guarded/thing/1`, { method: "DELETE", headers: key });
    assert.deepEqual([wrong.statusCode, wrong.headers["allow"]], [405, "GET, HEAD"]);
    await wrong.body.dump();
    const outside = await get("/nowhere", {});
    assert.equal(outside.statusCode, 404);
    assert.equal(outside.headers["cache-control"], "no-store");
    await outside.body.dump();
  });

  test("HEAD answers like GET, without the body", async () => {
    const full = await get("/guarded/thing/x");
    const head = await request(`${url}/guarded/thing/x`, { method: "HEAD", headers: key });
    assert.equal(head.statusCode, 200);
    assert.equal(head.headers["content-length"], full.headers["content-length"]);
    assert.equal(await head.body.text(), "");
    await full.body.dump();
  });

  test("a bug becomes 500 without its text, and is logged once with its stack and without the key in it", async () => {
    lines.length = 0;
    const answer = await get("/guarded/bug");
    const text = await answer.body.text();
    assert.equal(answer.statusCode, 500);
    assert.ok(!text.includes("secret detail"));
    const errors = lines.filter((line) => line.includes('"level":"error"'));
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? "", /secret detail/);
    assert.ok(!lines.join("").includes("0123456789abcdef"));
    assert.match(errors[0] ?? "", new RegExp(String(answer.headers["x-service-request-id"])));
  });

  test("Retry-After is whole seconds, rounded up", async () => {
    const answer = await get("/guarded/later");
    assert.deepEqual([answer.statusCode, answer.headers["retry-after"]], [429, "2"]);
    await answer.body.dump();
  });

  test("JSON bodies: bad content type, bad JSON, duplicate keys, encodings and size are refused in words", async () => {
    const cases: readonly [string, () => ReturnType<typeof post>, number, string][] = [
      [
        "no content type",
        () => request(`${url}/guarded/json`, { method: "POST", headers: key, body: "{}" }),
        400,
        "invalid_content_type",
      ],
      ["text", () => post("{}", { "content-type": "text/plain" }), 400, "invalid_content_type"],
      ["not JSON", () => post("{nope"), 400, "invalid_json"],
      ["duplicate keys", () => post('{"a":1,"\\u0061":2}'), 400, "invalid_json"],
      ["invalid UTF-8", () => post(Buffer.from([0x22, 0xff, 0x22])), 400, "invalid_json"],
      ["gzip", () => post("{}", { "content-encoding": "gzip" }), 400, "content_encoding_refused"],
      ["too large", () => post(`"${"x".repeat(200)}"`), 413, "payload_too_large"],
    ];
    for (const [name, send, status, code] of cases) {
      const answer = await send();
      assert.deepEqual(
        [answer.statusCode, ((await answer.body.json()) as { error: string }).error],
        [status, code],
        name,
      );
    }
    const good = await post('{"seed":12}', { "content-type": "Application/JSON; charset=utf-8" });
    assert.deepEqual(await good.body.json(), { got: { seed: 12 } });
  });

  test("a body without a declared length is cut at the cap", async () => {
    const answer = await sendRaw(
      server.port,
      `POST /guarded/json HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-API-Key: good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nc8\r\n${" ".repeat(200)}\r\n0\r\n\r\n`,
    );
    assert.equal(answer.status, 413);
    assert.equal(answer.headers["connection"], "close");
  });

  test("a client that sends a large body before reading still gets the refusal", async () => {
    const body = Buffer.alloc(24 * 1024 * 1024, " ");
    const head = `POST /guarded/json HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n`;
    for (const [credential, status] of [
      ["X-API-Key: good\r\n", 413],
      ["", 401],
    ] as const) {
      for (const form of ["length", "chunked"] as const) {
        const framing =
          form === "length" ? `Content-Length: ${body.length}\r\n\r\n` : "Transfer-Encoding: chunked\r\n\r\n";
        const socket = connect({ host: "127.0.0.1", port: server.port });
        socket.pause();
        const sent = new Promise<void>((resolve, reject) => {
          socket.once("error", reject);
          const chunk =
            form === "length"
              ? body
              : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
          socket.write(`${head}${credential}${framing}`);
          socket.write(chunk, () => resolve());
        });
        await sent;
        const read: Buffer[] = [];
        for await (const piece of socket) read.push(piece);
        assert.match(Buffer.concat(read).toString(), new RegExp(`^HTTP/1.1 ${status} `), `${status} ${form}`);
      }
    }
  });

  test("streams reach the client, and a client that leaves ends the source", async () => {
    const streamed = await get("/guarded/stream");
    assert.equal(await streamed.body.text(), "abc");
    const endless = await get("/guarded/endless");
    endless.body.destroy();
    endless.body.on("error", () => undefined);
    for (let tries = 0; !streamClosed && tries < 6_000; tries++) await systemClock.sleep(10);
    assert.equal(streamClosed, true);
  });

  test("an answer can take the connection over and still carries the common headers", async () => {
    const taken = await get("/guarded/taken");
    assert.equal(await taken.body.text(), "mine");
    assert.ok(taken.headers["x-service-request-id"]);
  });

  test("CORS: open on the open area, exact on the rest, nothing for others", async () => {
    const any = await get("/open", { origin: "https://any.example" });
    assert.equal(any.headers["access-control-allow-origin"], "*");
    await any.body.dump();
    const listed = await get("/guarded/thing/1", { ...key, origin: "https://studio.example" });
    assert.equal(listed.headers["access-control-allow-origin"], "https://studio.example");
    const exposed = String(listed.headers["access-control-expose-headers"]).split(", ");
    for (const name of ["X-Service-Request-Id", "Retry-After", "Content-Range", "Accept-Ranges", "Location"])
      assert.ok(exposed.includes(name), name);
    await listed.body.dump();
    const foreign = await get("/guarded/thing/1", { ...key, origin: "https://evil.example" });
    assert.deepEqual([foreign.statusCode, foreign.headers["access-control-allow-origin"]], [403, undefined]);
    await foreign.body.dump();
    const preflight = await request(`${url}/guarded/json`, {
      method: "OPTIONS",
      headers: { origin: "https://studio.example", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.statusCode, 204);
    assert.equal(preflight.headers["access-control-allow-methods"], "POST");
    await preflight.body.dump();
  });

  describe("hostile HTTP forms are refused and the connection is closed", () => {
    const host = () => `Host: 127.0.0.1:${server.port}\r\n`;
    const forms: readonly [string, () => string, number][] = [
      ["two Hosts", () => `GET /open HTTP/1.1\r\n${host()}${host()}\r\n`, 400],
      ["no Host", () => "GET /open HTTP/1.1\r\n\r\n", 400],
      ["HTTP/1.0 without Host", () => "GET /open HTTP/1.0\r\n\r\n", 400],
      ["HTTP/1.0 with Host", () => `GET /open HTTP/1.0\r\n${host()}\r\n`, 400],
      ["absolute form", () => `GET http://127.0.0.1/open HTTP/1.1\r\n${host()}\r\n`, 400],
      ["foreign Host", () => "GET /open HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421],
      ["nonsense", () => "NONSENSE\r\n\r\n", 400],
      ["oversize headers", () => `GET /open HTTP/1.1\r\n${host()}X-Big: ${"a".repeat(20_000)}\r\n\r\n`, 431],
      [
        "both lengths",
        () => `POST /open HTTP/1.1\r\n${host()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
      ],
      ["two lengths", () => `POST /open HTTP/1.1\r\n${host()}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, 400],
      ["signed length", () => `POST /open HTTP/1.1\r\n${host()}Content-Length: +5\r\n\r\nhello`, 400],
      ["folded header", () => `GET /open HTTP/1.1\r\n${host()}X-A: b\r\n c\r\n\r\n`, 400],
      ["space before colon", () => `GET /open HTTP/1.1\r\n${host()}X-A : b\r\n\r\n`, 400],
      ["NUL in a header", () => `GET /open HTTP/1.1\r\n${host()}X-A: b\0c\r\n\r\n`, 400],
      [
        "unknown transfer coding",
        () => `POST /open HTTP/1.1\r\n${host()}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
        400,
      ],
    ];
    for (const [name, form, status] of forms) {
      test(name, async () => {
        const answer = await sendRaw(server.port, form());
        assert.equal(answer.status, status, answer.all);
        assert.equal(answer.headers["connection"], "close");
        assert.match(answer.headers["x-service-request-id"] ?? "", /^[0-9a-f-]{36}$/);
        assert.ok((JSON.parse(answer.body) as { message: string }).message.length > 0);
        assert.equal(answer.all.match(/HTTP\/1\.1 \d/g)?.length, 1, "one request, one answer");
      });
    }
  });

  test("errors before routing carry the headers of the area around the path", async () => {
    const answer = await sendRaw(server.port, "GET /guarded/thing/1 HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert.deepEqual([answer.status, answer.headers["x-early"]], [421, "yes"]);
  });

  test("requests for unknown paths count against the rate like all others, after authentication", async () => {
    const statuses = async (headers: Record<string, string>) => {
      const answers = [
        await get("/guarded/thing/1", headers),
        await get("/guarded/nothing", headers),
        await request(`${url}/guarded/thing/1`, { method: "PUT", headers }),
      ];
      for (const answer of answers) await answer.body.dump();
      return answers.map(({ statusCode }) => statusCode);
    };
    assert.deepEqual(await statuses({ "x-api-key": "good" }), [200, 404, 405]);
    assert.deepEqual(await statuses({ "x-api-key": "good", "x-flood": "1" }), [429, 429, 429]);
    assert.deepEqual(await statuses({ "x-flood": "1" }), [401, 401, 401]);
  });

  test("a path with bad percent-encoding is an unknown path, not a crash", async () => {
    const answer = await sendRaw(
      server.port,
      `GET /guarded/thing/%zz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-API-Key: good\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(answer.status, 404);
  });
});

test("stopping lets a running request finish, refuses new connections, and cuts what overstays", async () => {
  const server = await start();
  const url = `http://127.0.0.1:${server.port}/guarded/slow`;
  const running = request(url, { headers: { "x-api-key": "good" } });
  await untilStalled(1);
  const stopped = server.stop(5);
  stalled[0]?.();
  const answer = await running;
  assert.equal(await answer.body.text(), "done");
  assert.equal(answer.headers["connection"], "close");
  await stopped;
  await assert.rejects(request(url));

  const second = await start();
  const cut = request(`http://127.0.0.1:${second.port}/guarded/slow`, { headers: { "x-api-key": "good" } });
  cut.catch(() => undefined);
  await untilStalled(2);
  await second.stop(0);
  await assert.rejects(cut);
});
