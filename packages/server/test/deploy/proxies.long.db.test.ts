// nginx and Caddy with the files of deploy/ in front of a real server: what a client sees through them.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { bearer } from "../support/app-client.ts";
import { freePort } from "../support/free-port.ts";
import { isListening } from "../support/is-listening.ts";
import { until } from "../support/server-process.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const deploy = join(import.meta.dirname, "../../../../deploy");
const apiHost = "atelier.example";
const contentHost = "atelier-content.example";
// A client that is not the proxy itself: the server believes 127.0.0.1 alone.
const clientAddress = "127.0.0.2";
const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};

interface Front {
  readonly isSecure: boolean;
  readonly port: number;
  readonly contentPort: number;
  close(): Promise<void>;
}
interface Upstream {
  readonly port: number;
  readonly contentPort: number;
}

const lacks = (program: string, ...words: readonly string[]) =>
  spawnSync(program, words, { stdio: "ignore" }).status !== 0 && `this machine has no ${program}`;

through("nginx", lacks("nginx", "-v") || lacks("openssl", "version"), async (upstream) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-nginx-"));
  const port = await freePort();
  const certificate = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${apiHost}`];
  for (const name of ["api", "content"]) {
    const out = ["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)];
    execFileSync("openssl", [...certificate, ...out], { stdio: "ignore" });
  }
  cpSync(join(deploy, "nginx/atelier-proxy.conf"), join(folder, "atelier-proxy.conf"));
  const site = replaced(readFileSync(join(deploy, "nginx/atelier.conf"), "utf8"), [
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
    ["listen [::]:443 ssl http2;", ""],
    ["127.0.0.1:8080", `127.0.0.1:${upstream.port}`],
    ["127.0.0.1:8081", `127.0.0.1:${upstream.contentPort}`],
    ["/etc/ssl/atelier/", `${folder}/`],
  ]);
  writeFileSync(join(folder, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http { access_log off; ${temporary.join(" ")} include site.conf; }
`,
  );
  const words = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const child = await started("nginx", words, port);
  return { isSecure: true, port, contentPort: port, close: () => ended(child, folder) };
});

through("Caddy", lacks("caddy", "version"), async (upstream) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-caddy-"));
  const [port, contentPort] = [await freePort(), await freePort()];
  const own = "{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tauto_https off\n}\n";
  writeFileSync(join(folder, "Caddyfile"), own + readFileSync(join(deploy, "caddy/Caddyfile"), "utf8"));
  const words = ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  const child = await started("caddy", words, port, {
    HOME: folder,
    SITE: `http://${apiHost}:${port}`,
    CONTENT_SITE: `http://${contentHost}:${contentPort}`,
    GATEWAYS: `127.0.0.1:${upstream.port}`,
    CONTENT_GATEWAYS: `127.0.0.1:${upstream.contentPort}`,
  });
  return { isSecure: false, port, contentPort, close: () => ended(child, folder) };
});

function through(name: string, skip: string | false, start: (upstream: Upstream) => Promise<Front>): void {
  describe(`a server behind ${name}`, { skip, timeout: 300_000 }, () => {
    let app: TestApp;
    let front: Front;
    before(async () => {
      const contentPort = await freePort();
      app = await testApp({
        env: {
          ATELIER_BASE_URL: `https://${apiHost}`,
          ATELIER_CONTENT_URL: `https://${contentHost}`,
          ATELIER_CONTENT_PORT: String(contentPort),
          ATELIER_TRUST_PROXY: "127.0.0.1/32",
          ATELIER_WEBHOOK_TARGETS: "",
          ATELIER_DRAIN_NOTICE_SECONDS: "0",
          ATELIER_DRAIN_SECONDS: "1",
          ATELIER_DIALECT: "comfy",
          ATELIER_ENGINE_SLOTS: "0",
        },
      });
      front = await start({ port: app.port, contentPort });
    });
    after(async () => {
      await front?.close();
      await app?.close();
    });

    test("an event stream arrives piece by piece, not when it ends", async () => {
      const headers = { ...bearer(app.key), "content-type": "application/json" };
      const body = JSON.stringify({ workflow });
      const submitted = await whole(await ask(front, { method: "POST", path: "/api/v2/jobs", headers, body }));
      assert.equal(submitted.status, 201, submitted.bytes.toString());
      const { id } = JSON.parse(submitted.bytes.toString());
      const stream = await ask(front, { path: `/api/v2/jobs/${id}/events`, headers: bearer(app.key) });
      let told = "";
      stream.on("data", (piece: Buffer) => {
        told += piece.toString();
      });
      // No worker is there, so that nothing more comes before the job is canceled.
      await until("the first piece is here while the job waits", () => told.includes('"status":"queued"'));
      assert.equal(stream.complete, false);
      const canceled = { method: "POST", path: `/api/v2/jobs/${id}/cancel`, headers: bearer(app.key) };
      assert.ok((await whole(await ask(front, canceled))).status < 300);
      await until("the stream tells the end and ends", () => stream.complete && told.includes('"status":"canceled"'));
    });

    test("30 MiB go up, and come down from the content origin's own name", async () => {
      const bytes = randomBytes(30 * 1024 * 1024);
      const form = new FormData();
      form.set("content_type", "application/octet-stream");
      form.set("file_path", "large.bin");
      form.set("file", new File([bytes], "large.bin"));
      const sent = new Response(form);
      const headers = { ...bearer(app.key), "content-type": sent.headers.get("content-type") ?? "" };
      const body = Buffer.from(await sent.arrayBuffer());
      const made = await whole(await ask(front, { method: "POST", path: "/api/v2/assets", headers, body }));
      assert.equal(made.status, 201, made.bytes.toString().slice(0, 500));
      const url = new URL(JSON.parse(made.bytes.toString()).url);
      assert.equal(url.origin, `https://${contentHost}`);
      const path = `${url.pathname}${url.search}`;
      const content = await whole(await ask(front, { path, host: contentHost, port: front.contentPort }));
      assert.deepEqual([content.status, content.bytes.equals(bytes)], [200, true]);
    });

    test("the server sees the client's address, and believes none that the client made up", async () => {
      const headers = { ...bearer("service-no-such-key-at-all-000000000"), "x-forwarded-for": "203.0.113.9" };
      const refused = await whole(await ask(front, { path: "/account/profile", headers }));
      assert.equal(refused.status, 401);
      const seen = app.logged.map((line) => JSON.parse(line)).filter(({ status }) => status === 401);
      assert.deepEqual(
        seen.map(({ peer }) => peer),
        [clientAddress],
      );
    });

    test("a WebSocket of the dialect opens and speaks", async () => {
      const scheme = front.isSecure ? "wss" : "ws";
      const url = `${scheme}://127.0.0.1:${front.port}/api/ws?clientId=deploy&token=${app.key}`;
      const socket = new WebSocket(url, { headers: { host: apiHost }, rejectUnauthorized: false });
      try {
        const [message] = await once(socket, "message");
        assert.equal(JSON.parse(String(message)).type, "status");
      } finally {
        socket.terminate();
      }
    });

    test("a name that the server does not serve is not answered", async () => {
      const answer = await whole(await ask(front, { path: "/account/profile", host: "other.example" }));
      // Refused by the server (421), or with nothing by a proxy that knows its own names only.
      assert.ok(answer.status === 421 || answer.bytes.length === 0, String(answer.status));
    });
  });
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly host?: string;
  readonly port?: number;
}

async function ask(front: Front, asked: Asked): Promise<IncomingMessage> {
  const { method = "GET", path, headers = {}, body, host = apiHost, port = front.port } = asked;
  const options = {
    host: "127.0.0.1",
    port,
    method,
    path,
    headers: { host, ...headers, ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }) },
    localAddress: clientAddress,
    agent: false,
  };
  const request = front.isSecure
    ? secureRequest({ ...options, rejectUnauthorized: false, servername: host })
    : plainRequest(options);
  request.end(body);
  const [answer]: IncomingMessage[] = await once(request, "response");
  assert.ok(answer);
  return answer;
}

async function whole(answer: IncomingMessage): Promise<{ status: number; bytes: Buffer }> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return { status: answer.statusCode ?? 0, bytes: Buffer.concat(pieces) };
}

async function started(program: string, words: string[], port: number, env = {}): Promise<ChildProcess> {
  const child = spawn(program, words, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => {
    said += piece.toString();
  });
  await until(`${program} listens`, async () => child.exitCode !== null || (await isListening(port)));
  assert.equal(child.exitCode, null, said);
  return child;
}

async function ended(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
}

// What a test changes in a file must be in it.
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), from);
    return changed.replaceAll(from, to);
  }, text);
}
