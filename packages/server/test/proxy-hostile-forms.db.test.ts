// Decisions, section 6, and the rules of the loopback guard: what a web page, a rebinding name or a broken client can
// send to a proxy on its visitor's machine, on real sockets and over both addresses. A refused request reaches nothing:
// the application is never called, and the connection is closed.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { operations } from "@atelier/contract";
import { at, type ProxyApp, proxyApp } from "./support/proxy-app.ts";
import { sendRaw } from "./support/raw-http.ts";

const toRecord = (value: unknown): Record<string, unknown> => Object(value);

const studio = "https://studio.example";
let application: Server;
let proxy: ProxyApp;
// What the application was asked, without the proxy's own health checks.
const asked: string[] = [];
const ownLooks = /^GET \/(api\/)?(object_info|ws|system_stats|features|models|queue|prompt|history)\b/;

before(async () => {
  application = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    if (!ownLooks.test(line)) asked.push(line);
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
  const { port } = application.address() as AddressInfo;
  proxy = await proxyApp({
    applicationUrl: `http://127.0.0.1:${port}`,
    env: { ATELIER_CORS_ORIGINS: studio, ATELIER_ALLOWED_HOSTS: "box.example" },
  });
});
after(async () => {
  await proxy.close();
  application.closeAllConnections();
  await new Promise((resolve) => application.close(resolve));
});

interface Form {
  readonly line?: string;
  // PORT stands for the port.
  readonly host?: string | null;
  readonly headers?: readonly string[];
  readonly body?: string;
}

const cancel = "POST /api/v2/jobs/0198c1a2-3b4c-7d5e-8f60-718293a4b5c6/cancel HTTP/1.1";
const submission = '{"workflow":{"1":{"class_type":"EmptyImage","inputs":{}}}}';

function textOf({ line = cancel, host = "127.0.0.1:PORT", headers = [], body }: Form): string {
  const lines = [
    line,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`.replaceAll("PORT", String(proxy.port));
}

const submit = "POST /api/v2/jobs HTTP/1.1";
const get = "GET /api/v2/jobs HTTP/1.1";
const withHost = (host: string): readonly [string, Form, number] => [`Host ${host}`, { host }, 421];
const withOrigin = (origin: string): readonly [string, Form, number] => [
  `Origin ${origin}`,
  { headers: [`Origin: ${origin}`] },
  403,
];
const withSite = (site: string): readonly [string, Form, number] => [
  `Sec-Fetch-Site ${site} without an Origin`,
  { headers: [`Sec-Fetch-Site: ${site}`] },
  403,
];
const withType = (type: string | null): readonly [string, Form, number] => [
  `a body of the type ${type}`,
  { line: submit, headers: type === null ? [] : [`Content-Type: ${type}`], body: submission },
  400,
];

const hostile: readonly (readonly [string, Form, number])[] = [
  // A name that was made to resolve here, or one that only looks like ours.
  ...[
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:8188",
    "127.0.0.1:PORT.",
    "127.0.0.1.evil.example:PORT",
    "localhost.evil.example:PORT",
    "localhost",
    "localhost.:PORT",
    "0.0.0.0:PORT",
    "127.1:PORT",
    "2130706433:PORT",
    "0x7f.1:PORT",
    "[::1]",
    "::1:PORT",
    "[::ffff:127.0.0.1]:PORT",
    "127.0.0.2:PORT",
    "127.0.0.1:0PORT",
    "user@127.0.0.1:PORT",
    "127.0.0.1:PORT/",
    "127.0.0.1:PORT, evil.example",
    "box.example:PORT",
    "sub.box.example",
  ].map(withHost),
  // A page.
  ...[
    "null",
    "http://evil.example",
    "https://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:8188",
    "https://127.0.0.1:PORT",
    "http://localhost:PORT.evil.example",
    "http://127.0.0.1:PORT/",
    "HTTP://127.0.0.1:PORT",
    "https://studio.example.evil.example",
    "https://studio.example:444",
    "http://studio.example",
    "file://",
    "chrome-extension://abc",
    "*",
  ].map(withOrigin),
  ...["cross-site", "same-site", "nonsense"].map(withSite),
  [
    "a link that a page of another site follows",
    { line: get, headers: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"] },
    403,
  ],
  [
    "our own origin, said to be another site",
    { headers: ["Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: cross-site"] },
    403,
  ],
  [
    "a preflight from a page that is not listed",
    {
      line: "OPTIONS /api/v2/jobs HTTP/1.1",
      headers: ["Origin: http://evil.example", "Access-Control-Request-Method: POST"],
    },
    403,
  ],
  [
    "two Origins, the first our own",
    { headers: ["Origin: http://127.0.0.1:PORT", "Origin: http://evil.example"] },
    403,
  ],
  [
    "two Sec-Fetch-Sites, the first harmless",
    { headers: ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"] },
    403,
  ],
  // What a page can send without a preflight request.
  ...["text/plain", "application/x-www-form-urlencoded", "text/plain;application/json", "text/html", null].map(
    withType,
  ),
  // Forms that no client sends.
  ["two Hosts", { headers: ["Host: 127.0.0.1:PORT"] }, 400],
  ["two Hosts, the second another's", { headers: ["Host: evil.example"] }, 400],
  ["no Host", { host: null }, 400],
  ["an empty Host", { host: "" }, 421],
  ["HTTP/1.0", { line: "POST /api/v2/jobs HTTP/1.0" }, 400],
  ["an absolute-form target", { line: "GET http://127.0.0.1:PORT/api/v2/jobs HTTP/1.1" }, 400],
  ["an absolute-form target of another host", { line: "GET http://evil.example/api/v2/jobs HTTP/1.1" }, 400],
  ["a tunnel", { line: "CONNECT 127.0.0.1:8188 HTTP/1.1" }, 400],
  ["an asterisk target", { line: "OPTIONS * HTTP/1.1" }, 400],
  [
    "a length and pieces",
    { line: submit, headers: ["Transfer-Encoding: chunked", "Content-Type: application/json"], body: "0\r\n\r\n" },
    400,
  ],
  ["a header folded over two lines", { headers: ["X-A: b\r\n folded"] }, 400],
  [
    "a socket of the application's",
    { line: "GET /ws?clientId=x HTTP/1.1", headers: ["Connection: Upgrade", "Upgrade: websocket"] },
    404,
  ],
  // Names and paths that lead elsewhere.
  ["an id that climbs", { line: "POST /api/v2/jobs/..%2F..%2Finterrupt/cancel HTTP/1.1" }, 404],
  ["a path that climbs", { line: "POST /api/v2/../../interrupt HTTP/1.1" }, 404],
  ["a route of the application", { line: "POST /prompt HTTP/1.1" }, 404],
  ["a route of the application below /api", { line: "POST /api/interrupt HTTP/1.1" }, 404],
];

const legitimate: readonly (readonly [string, Form, number])[] = [
  ["a program", { line: get }, 200],
  ["a program that calls localhost", { line: get, host: "localhost:PORT" }, 200],
  ["a program that calls LOCALHOST", { line: get, host: "LOCALHOST:PORT" }, 200],
  ["a program that calls [::1]", { line: get, host: "[::1]:PORT" }, 200],
  ["a TLS proxy on this machine", { line: get, host: "box.example" }, 200],
  ["a program with headers of its own", { line: get, headers: ["X-Anything: 1", "Accept: */*"] }, 200],
  ["an address typed by hand", { line: get, headers: ["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"] }, 200],
  [
    "a page of the same origin",
    { line: get, headers: ["Origin: http://127.0.0.1:PORT", "Sec-Fetch-Site: same-origin"] },
    200,
  ],
  ["a listed page that reads", { line: get, headers: [`Origin: ${studio}`, "Sec-Fetch-Site: cross-site"] }, 200],
  [
    "a listed page that asks first",
    { line: "OPTIONS /api/v2/jobs HTTP/1.1", headers: [`Origin: ${studio}`, "Access-Control-Request-Method: POST"] },
    204,
  ],
  ["a post without a body and without a type", { line: cancel }, 404],
  ["a post of no bytes", { line: cancel, headers: ["Content-Length: 0"] }, 404],
  ["health", { line: "GET /api/v2/health HTTP/1.1" }, 200],
  ["a question without an answer's body", { line: "HEAD /api/v2/health HTTP/1.1" }, 200],
  ["a question about a hash", { line: `HEAD /api/v2/assets/by-hash/blake3:${"0".repeat(64)} HTTP/1.1` }, 404],
  ["JSON", { line: submit, headers: ["Content-Type: application/json"], body: "{}" }, 422],
  [
    "JSON with a charset",
    { line: submit, headers: ["Content-Type: application/json; charset=utf-8"], body: "{}" },
    422,
  ],
  [
    "a form with a file",
    { line: "POST /api/v2/assets HTTP/1.1", headers: ["Content-Type: multipart/form-data; boundary=x"], body: aForm() },
    201,
  ],
  ["a list", { line: "GET /api/v2/assets?limit=1 HTTP/1.1" }, 200],
  [
    "a resumable upload",
    {
      line: "POST /api/v2/uploads HTTP/1.1",
      headers: [
        "Tus-Resumable: 1.0.0",
        "Upload-Length: 3",
        `Upload-Metadata: content_type ${b64("text/plain")},file_path ${b64("a.txt")}`,
      ],
    },
    201,
  ],
];

function b64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function aForm(): string {
  const part = (name: string, value: string, more = "") =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  return `${part("content_type", "text/plain")}${part("file_path", "a.txt")}${part("file", "abc", '; filename="a.txt"')}--x--\r\n`;
}

test("there are sixty hostile forms and twenty legitimate ones", () => {
  assert.ok(hostile.length >= 60, String(hostile.length));
  assert.ok(legitimate.length >= 20, String(legitimate.length));
});

describe("a hostile form is refused and reaches nobody", () => {
  for (const [name, form, status] of hostile) {
    test(name, async () => {
      const answer = await sendRaw(proxy.port, textOf(form));
      assert.equal(answer.status, status, answer.all.slice(0, 300));
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
      if (status === 403) assert.match(answer.body, /^\{"error":"forbidden_origin",/);
      assert.deepEqual(asked, []);
    });
  }
  test("HTTP/0.9", async () => {
    const answer = await sendRaw(proxy.port, "GET /api/v2/jobs\r\n\r\n");
    assert.equal(answer.status, 400);
  });
});

describe("a legitimate form passes", () => {
  for (const [name, form, status] of legitimate) {
    test(name, async () => {
      const answer = await sendRaw(proxy.port, textOf(form));
      assert.equal(answer.status, status, answer.all.slice(0, 500));
      const isListed = form.headers?.some((header) => header === `Origin: ${studio}`) ?? false;
      assert.equal(answer.headers["access-control-allow-origin"], isListed ? studio : undefined);
    });
  }
});

test("both loopback addresses belong to this server", async () => {
  const second = connect({ host: "::1", port: proxy.port });
  const answered = new Promise<string>((resolve, reject) => {
    second.once("data", (chunk: Buffer) => resolve(chunk.toString("latin1")));
    second.once("error", reject);
  });
  second.write(`GET /api/v2/health HTTP/1.1\r\nHost: [::1]:${proxy.port}\r\nConnection: close\r\n\r\n`);
  assert.match(await answered, /^HTTP\/1\.1 200 /);
  second.destroy();
});

// The answer to an unknown method lists the methods that the path has.
test("GET /openapi.json lists exactly the operations mounted here", async () => {
  const base = `http://127.0.0.1:${proxy.port}`;
  const document: unknown = await (await fetch(`${base}/openapi.json`)).json();
  const documented = new Set(
    Object.entries(toRecord(at(document, "paths"))).flatMap(([path, methods]) =>
      Object.keys(toRecord(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const mounted = new Set<string>();
  const paths = new Set(Object.values(operations).map(({ path }) => path));
  for (const path of paths) {
    const answer = await fetch(`${base}${path.replaceAll(/\{\w+\}/g, "x")}`, { method: "PROPFIND" });
    assert.ok(answer.status === 404 || answer.status === 405, `${path}: ${answer.status}`);
    const methods = (answer.headers.get("allow") ?? "").split(/,\s*/).filter((method) => method !== "");
    for (const method of methods) if (method !== "OPTIONS") mounted.add(`${method} ${path}`);
  }
  // HEAD works wherever GET does, and is a separate operation only where there is no GET.
  const expected = [...mounted].filter(
    (each) => !each.startsWith("HEAD ") || !mounted.has(each.replace("HEAD", "GET")),
  );
  assert.deepEqual([...documented].sort(), expected.sort());
  assert.ok(documented.has("GET /api/v2") && !documented.has("GET /v1/models"));
});
