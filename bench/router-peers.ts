// The other gateways of the router bench. Portkey's is installed from npm when the bench first runs, into a folder that git
// ignores and that none of our packages uses; nginx is used if it is installed. What is not available is left out, with a line
// that says so.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { onServerCore, root, type Started, startUntilReady } from "./processes.ts";
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

export async function startNginx(home: string, providerUrl: string): Promise<Peer | null> {
  const program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"].find(existsSync);
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
  const folder = join(root, "node_modules/.cache/atelier-bench-peers");
  const program = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  const wanted = join(root, "bench/peers/package.json");
  const have = join(folder, "package.json");
  const isHad = existsSync(program) && existsSync(have) && readFileSync(have).equals(readFileSync(wanted));
  if (!isHad) {
    process.stderr.write("fetching @portkey-ai/gateway …\n");
    mkdirSync(folder, { recursive: true });
    copyFileSync(wanted, have);
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    const got = spawnSync("npm", words, { cwd: folder, encoding: "utf8", timeout: 180_000 });
    if (!existsSync(program))
      return leftOut("@portkey-ai/gateway", `npm could not install it: ${got.stderr.slice(-300)}`);
  }
  const port = await freePort();
  const server = await startOnPort([process.execPath, program, `--port=${port}`, "--headless"], port);
  const headers = {
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${providerUrl}/v1`,
    authorization: "Bearer bench",
  };
  return { name: "@portkey-ai/gateway", path: providerPath, headers, server };
}

function leftOut(name: string, why: string): null {
  process.stderr.write(`skipped ${name}: ${why}\n`);
  return null;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

// For programs that do not report when they are ready.
export async function startOnPort(command: readonly [string, ...string[]], port: number): Promise<Started> {
  const began = performance.now();
  const [program, ...words] = onServerCore(command);
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 200 || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`${program} is not listening.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    pid: child.pid ?? 0,
    port,
    readyMs: performance.now() - began,
    async stop() {
      child.kill("SIGTERM");
      const giveUp = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(giveUp);
    },
  };
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
