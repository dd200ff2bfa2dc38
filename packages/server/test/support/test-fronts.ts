// nginx and Caddy with the files of deploy/, in front of a test's servers on loopback, and a client that connects through
// them.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { isListening } from "./is-listening.ts";
import { until } from "./server-process.ts";

const deploy = join(import.meta.dirname, "../../../../deploy");
export const apiHost = "atelier.example";
export const contentHost = "atelier-content.example";
// An address other than the proxy's own: servers trust only 127.0.0.1.
export const clientAddress = "127.0.0.2";

export interface Front {
  readonly isSecure: boolean;
  readonly port: number;
  readonly contentPort: number;
  close(): Promise<void>;
}
export interface Upstream {
  readonly port: number;
  readonly contentPort: number;
}

function lacks(program: string, ...words: readonly string[]): string | false {
  return spawnSync(program, words, { stdio: "ignore" }).status !== 0 && `this machine has no ${program}`;
}

async function startNginx(upstreams: readonly Upstream[]): Promise<Front> {
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
    [serverLine(8080), upstreams.map(({ port: own }) => serverLine(own)).join("\n")],
    [serverLine(8081), upstreams.map(({ contentPort }) => serverLine(contentPort)).join("\n")],
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
}

async function startCaddy(upstreams: readonly Upstream[]): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-caddy-"));
  const [port, contentPort] = [await freePort(), await freePort()];
  const own = "{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tauto_https off\n}\n";
  writeFileSync(join(folder, "Caddyfile"), own + readFileSync(join(deploy, "caddy/Caddyfile"), "utf8"));
  const words = ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  const child = await started("caddy", words, port, {
    HOME: folder,
    SITE: `http://${apiHost}:${port}`,
    CONTENT_SITE: `http://${contentHost}:${contentPort}`,
    GATEWAYS: upstreams.map((each) => `127.0.0.1:${each.port}`).join(" "),
    CONTENT_GATEWAYS: upstreams.map((each) => `127.0.0.1:${each.contentPort}`).join(" "),
  });
  return { isSecure: false, port, contentPort, close: () => ended(child, folder) };
}

const serverLine = (port: number) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`;

// `skip` says what this machine lacks.
export const fronts: readonly {
  readonly name: string;
  readonly skip: string | false;
  start(upstreams: readonly Upstream[]): Promise<Front>;
}[] = [
  { name: "nginx", skip: lacks("nginx", "-v") || lacks("openssl", "version"), start: startNginx },
  { name: "Caddy", skip: lacks("caddy", "version"), start: startCaddy },
];

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly host?: string;
  readonly port?: number;
}

export async function ask(front: Front, asked: Asked): Promise<IncomingMessage> {
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

export async function whole(answer: IncomingMessage): Promise<{ status: number; bytes: Buffer }> {
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

// The text that a test replaces must be in the file.
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), from);
    return changed.replaceAll(from, to);
  }, text);
}
