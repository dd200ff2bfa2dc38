// Bytes that the HTTP parser refuses, and requests that are not for us, over plain sockets: one answer in an envelope,
// with a request id, and under the router with a bucket (Spec, Router rule 9), however the bytes arrived.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Fault } from "../src/foundation/fault.ts";
import { genericEnvelope } from "../src/foundation/http/generic-envelope.ts";
import { refuseUnparsed } from "../src/foundation/http/unparsed-request.ts";
import { isUuid } from "../src/foundation/ids.ts";
import { type RawAnswer, sendRaw } from "./support/raw-http.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp();
});
after(() => app.close());

// Sends one piece after the other, the next a moment later or when something has come back; returns everything that did.
async function sendPieces(pieces: readonly string[], next: "a moment" | "an answer" = "a moment"): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: app.port });
  await once(socket, "connect");
  socket.setNoDelay(true);
  let all = "";
  socket.on("data", (chunk: Buffer) => {
    all += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  for (const piece of pieces) {
    socket.write(piece, "latin1");
    if (next === "an answer") await until("it answers", () => all !== "");
    else await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await closed;
  return all;
}

const host = () => `Host: 127.0.0.1:${app.port}\r\n`;
const bad = "bad header: x\r\n\r\n";

type Form = readonly [what: string, status: number, pieces: (path: string) => readonly string[]];
const forms: readonly Form[] = [
  ["a bad header", 400, (path) => [`GET ${path} HTTP/1.1\r\n${host()}${bad}`]],
  ["a bad header in a second packet", 400, (path) => [`GET ${path} HTTP/1.1\r\n`, `${host()}${bad}`]],
  ["a method in lower case", 400, (path) => [`get ${path} HTTP/1.1\r\n${host()}\r\n`]],
  ["a method that is no word", 400, (path) => [`F0O ${path} HTTP/1.1\r\n${host()}\r\n`]],
  ["CONNECT", 400, (path) => [`CONNECT ${path} HTTP/1.1\r\n${host()}\r\n`]],
  ["a tab for a blank", 400, (path) => [`GET\t${path} HTTP/1.1\r\n${host()}\r\n`]],
  ["blank lines before", 400, (path) => [`\r\n\r\nGET ${path} HTTP/1.1\r\n${host()}${bad}`]],
  ["absolute form", 400, (path) => [`GET http://127.0.0.1:${app.port}${path} HTTP/1.1\r\n${host()}\r\n`]],
  ["headers that are too large", 431, (path) => [`GET ${path} HTTP/1.1\r\n${host()}x: ${"y".repeat(20_000)}\r\n\r\n`]],
  ["too large in pieces", 431, (path) => [`GET ${path} HTTP/1.1\r\n${host()}`, `x: ${"y".repeat(20_000)}\r\n\r\n`]],
  [
    "two lengths",
    400,
    (path) => [`POST ${path} HTTP/1.1\r\n${host()}content-length: 3\r\ncontent-length: 4\r\n\r\nabc`],
  ],
];

function assertAnswer(all: string, status: number, hasBucket: boolean | null, what: string): void {
  const answers = all.split(/(?=HTTP\/1\.1 \d{3} )/);
  assert.equal(answers.length, 1, `${what}: one answer and no second one\n${all}`);
  assert.equal(Number(all.slice(9, 12)), status, `${what}\n${all}`);
  const head = all.split("\r\n\r\n")[0] ?? "";
  assert.ok(isUuid(/^x-service-request-id: (\S+)/im.exec(head)?.[1] ?? ""), `${what}\n${all}`);
  const bucket = /^x-service-error-type: (\S+)/im.exec(head)?.[1];
  if (hasBucket !== null) assert.equal(bucket, hasBucket ? "invalid_input" : undefined, `${what}\n${all}`);
  assert.match(head, /^connection: close$/im, what);
}

describe("what the parser refuses", () => {
  for (const [what, status, pieces] of forms) {
    test(`${what} is ${status} with a request id, and a bucket under /v1`, async () => {
      assertAnswer(await sendPieces(pieces("/v1/models")), status, true, what);
      // If the path was lost, it may have been one of the router's.
      const isLost = pieces("/nodes").length > 1;
      assertAnswer(await sendPieces(pieces("/nodes")), status, isLost ? null : false, what);
    });
  }

  test("of two requests in one packet the second is refused by its own path", async () => {
    const both = `GET /health HTTP/1.1\r\n${host()}\r\nGET /v1/models HTTP/1.1\r\n${host()}${bad}`;
    const [first = "", second = "", ...more] = (await sendPieces([both])).split(/(?=HTTP\/1\.1 \d{3} )/);
    assert.match(first, /^HTTP\/1\.1 200 /);
    assert.deepEqual(more, []);
    assertAnswer(second, 400, true, "the second");
  });

  test("a request that does not arrive in time is 408 with a request id and, its path unknown, a bucket", async () => {
    const reported: string[] = [];
    const server = createServer((socket: Socket) =>
      refuseUnparsed(Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket, {
        earlyHeaders: (path: string | null, fault: Fault) =>
          path === null ? { "x-service-error-type": "invalid_input" } : { fault: fault.code },
        envelopeOf: () => genericEnvelope,
        answering: () => undefined,
        refused: (fault, { peer }) => void reported.push(`${fault.code} ${peer}`),
      }),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const answer: RawAnswer = await sendRaw(address.port, "");
    assertAnswer(answer.all, 408, true, "late");
    assert.deepEqual(reported, ["request_timeout 127.0.0.1"]);
    server.close();
  });
});

describe("bodies", () => {
  const post = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\n${host()}Authorization: Bearer ${app.key}\r\ncontent-type: application/json\r\n${more}`;

  test("a broken chunk gets one answer in the envelope of the area, under /v1 with a bucket", async () => {
    const chunked = "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n";
    const v1 = await sendPieces([post("/v1/models/a/b", "Transfer-Encoding: chunked\r\n\r\nZZ\r\n")]);
    assertAnswer(v1, 400, true, "router");
    assert.match(v1, /"error_type":"invalid_input"/);
    const v2 = await sendPieces([post("/api/v2/jobs", chunked), "ZZ\r\n"]);
    assertAnswer(v2, 400, false, "v2");
    assert.match(v2, /\{"error":\{"code":"invalid_request"/);
    const answered = await sendPieces([post("/v1/models/nobody/has-this", chunked), "ZZ\r\n"], "an answer");
    assertAnswer(answered, 404, null, "an answer that was given stays the only one");
  });

  test("a transfer coding besides chunked is refused in the area's envelope, for any body", async () => {
    const envelopes = [
      ["/v1/models/a/b", /"error_type":"invalid_input"/],
      ["/api/v2/jobs", /\{"error":\{"code":"/],
      ["/publishers", /\{"error":"content_encoding_refused","message":"/],
    ] as const;
    for (const [path, body] of envelopes) {
      for (const coding of ["gzip, chunked", "Deflate,Chunked"]) {
        const all = await sendPieces([post(path, `Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)]);
        assertAnswer(all, 400, path.startsWith("/v1"), `${path} ${coding}`);
        assert.match(all, body);
      }
    }
    assertAnswer(
      await sendPieces([`POST /v1/models/a/b HTTP/1.1\r\n${host()}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`]),
      401,
      null,
      "who calls is asked first",
    );
  });
});

test("405 names the methods of the requested path, and of no other", async () => {
  const allowOf = async (method: string, path: string) => {
    const answer = await app.call({ method, path, headers: { authorization: `Bearer ${app.key}` } });
    return [answer.status, answer.headers["allow"]];
  };
  assert.deepEqual(await allowOf("POST", "/publishers/validate"), [405, "GET, HEAD"]);
  assert.deepEqual(await allowOf("PATCH", "/publishers/somebody"), [405, "DELETE, GET, HEAD, PUT"]);
  assert.deepEqual(await allowOf("DELETE", "/nodes/search"), [405, "GET, HEAD"]);
  assert.deepEqual(await allowOf("PUT", "/nodes/reindex"), [405, "POST"]);
  assert.deepEqual(await allowOf("DELETE", "/v1/models"), [405, "GET, HEAD"]);
});
