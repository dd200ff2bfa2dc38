// A server as shipped and a proxy in front of an application, both with the dialect, for the clients' flows. All of them are
// ended by their process ids.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateKey } from "../../packages/server/src/capabilities/identity/api-key.ts";
import { freePort } from "../../packages/server/test/support/free-port.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/atelier.mjs", import.meta.url));
const startMs = 300_000;
// The proxy is in front of a running application, if one is named; otherwise of the sandbox's.

// Stand-ins make the shipped providers' models callable without their credentials.
const settings = { ATELIER_DIALECT: "comfy,openai", ATELIER_STAND_INS: "on", ATELIER_LOG_LEVEL: "warn" };

export function startServers({ port = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "atelier-clients-"));
  const running = [];
  const environment = (more) => ({
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    ...settings,
    ...more,
  });

  async function start(words, more) {
    const child = spawn(process.execPath, [bin, ...words], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: environment(more),
    });
    running.push(child);
    const ready = new Promise((resolve, reject) => {
      let out = "";
      child.stdout.on("data", (chunk) => {
        out += chunk;
        const url = /^ready (\S+)/m.exec(out)?.[1];
        if (url !== undefined) resolve(url);
      });
      child.once("exit", (code) => reject(new Error(`${words.join(" ")} ended with ${code}.`)));
      setTimeout(() => reject(new Error(`${words.join(" ")} was not ready in time.`)), startMs).unref();
    });
    return ready;
  }

  return {
    folder,
    async cloud() {
      const home = join(folder, "home");
      const applicationPort = await freePort();
      const own = generateKey();
      const url = await start(["serve"], {
        ATELIER_HOME: home,
        ATELIER_PORT: String(port),
        ATELIER_SANDBOX: "on",
        ATELIER_BOOTSTRAP_KEY: own,
        // For tools that send no credential.
        ATELIER_APPLICATION_API_PORT: String(applicationPort),
        ATELIER_APPLICATION_API_KEY: own,
        // The registry's address is hard-coded in the public command line.
        ATELIER_ALLOWED_HOSTS: "localhost:8080",
      });
      const file = readFileSync(join(home, "first-key.txt"), "utf8");
      const key = /^API key: +(\S+)/m.exec(file)?.[1];
      return { url, key, application: `http://127.0.0.1:${applicationPort}` };
    },
    async selfHosted() {
      const sandbox = { ATELIER_HOME: join(folder, "sandbox"), ATELIER_SANDBOX_APPLICATION_PORT: "0" };
      const application = process.env["ATELIER_TEST_APPLICATION_URL"] ?? (await start(["sandbox"], sandbox));
      const proxy = { ATELIER_APPLICATION_URL: application, ATELIER_PROXY_HOME: join(folder, "proxy") };
      const url = await start(["proxy", "run", "--dialect", "comfy"], { ...proxy, ATELIER_PROXY_PORT: "0" });
      return { url, application };
    },
    // Runs a command of this checkout with the server's settings.
    command(words, home = join(folder, "home")) {
      const { stdout } = spawnSync(process.execPath, [bin, ...words], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
        env: environment({ ATELIER_HOME: home }),
      });
      return stdout.trim();
    },
    async stop() {
      for (const child of running.reverse()) {
        if (child.exitCode !== null) continue;
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
