// The other gateways of the router bench. Portkey's is installed from npm when the bench first runs, into a folder that git
// ignores and that none of our packages uses; nginx is used if it is installed. What is not available is left out, with a line
// that says so.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { onServerCore, root, type Started, startedAs, startUntilReady } from "./processes.ts";
import { portOf } from "./ready.ts";
import { providerPath } from "./router-request.ts";

export interface Peer {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly server: Started;
}

export async function startPassThrough(kind: "node" | "fastify", providerUrl: string): Promise<Peer> {
  const file = join(root, "bench/router-pass-through.ts");
  const server = await startUntilReady([process.execPath, "--conditions=atelier-source", file, kind, providerUrl], {
    isPinned: true,
  });
  const name = kind === "node" ? "node:http + undici" : "Fastify + Ajv + undici";
  return { name, path: providerPath, headers: {}, server };
}

export const nginxProgram = () => ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"].find(existsSync);

export async function startNginx(home: string, providerUrl: string): Promise<Peer | null> {
  const program = nginxProgram();
  if (program === undefined) return leftOut("nginx", "it is not installed");
  const folder = join(home, "nginx");
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder};`);
  const config = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http { access_log off; client_max_body_size 32m; ${temporary.join(" ")}
  upstream provider { server ${new URL(providerUrl).host}; keepalive 64; }
  server { listen 127.0.0.1:${port}; keepalive_requests 1000000000;
    location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const server = await startOnPort([program, "-p", folder, "-c", join(folder, "nginx.conf")], port);
  return { name: "nginx", path: providerPath, headers: {}, server };
}

export async function startPortkey(providerUrl: string): Promise<Peer | null> {
  const program = installedPeer("@portkey-ai/gateway", {
    folder: "atelier-bench-peers",
    manifest: "bench/peers/package.json",
    program: "@portkey-ai/gateway/build/start-server.js",
  });
  if (program === null) return null;
  const port = await freePort();
  const server = await startOnPort([process.execPath, program, `--port=${port}`, "--headless"], port);
  const headers = {
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${providerUrl}/v1`,
    authorization: "Bearer bench",
  };
  return { name: "@portkey-ai/gateway", path: providerPath, headers, server };
}

export function leftOut(name: string, why: string): null {
  process.stderr.write(`skipped ${name}: ${why}\n`);
  return null;
}

interface PeerPackage {
  // In the cache of node_modules.
  readonly folder: string;
  readonly manifest: string;
  // Within the folder's node_modules.
  readonly program: string;
}

// Installs it unless the folder has it already, of the version that the manifest names.
export function installedPeer(name: string, wanted: PeerPackage): string | null {
  const folder = join(root, "node_modules/.cache", wanted.folder);
  const program = join(folder, "node_modules", wanted.program);
  const [manifest, have] = [join(root, wanted.manifest), join(folder, "package.json")];
  if (existsSync(program) && existsSync(have) && readFileSync(have).equals(readFileSync(manifest))) return program;
  process.stderr.write(`fetching ${name} …\n`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, have);
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  const got = spawnSync("npm", words, { cwd: folder, encoding: "utf8", timeout: 180_000 });
  return existsSync(program) ? program : leftOut(name, `npm could not install it: ${got.stderr.slice(-300)}`);
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const port = portOf(probe);
      probe.close(() => resolve(port));
    });
  });
}

// For programs that do not report when they are ready.
export async function startOnPort(command: readonly [string, ...string[]], port: number): Promise<Started> {
  const began = performance.now();
  const [program, ...words] = onServerCore(command);
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 200 || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`${program} is not listening.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return startedAs(child, port, performance.now() - began);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
