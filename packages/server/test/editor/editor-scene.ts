// A server as it is shipped, on a port that it keeps, with the real editor installed by the command, and a browser that is signed
// in. Names of other hosts do not resolve in that browser.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { type AsShippedServer, startAsShipped } from "../support/as-shipped-server.ts";
import { freePort } from "../support/free-port.ts";

const program = process.env["ATELIER_TEST_CHROMIUM"];
export const checkout = join(import.meta.dirname, "../../../..");
const programArguments = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

export interface EditorScene {
  server: AsShippedServer;
  readonly context: BrowserContext;
  // A browser of its own for someone who was given this sign-in link.
  signIn(link: string): Promise<BrowserContext>;
  // Kills the server and starts it again.
  killAndStart(): Promise<void>;
  close(): Promise<void>;
}

export async function openEditorScene(wheel: string, env: Readonly<Record<string, string>> = {}): Promise<EditorScene> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-editor-scene-"));
  const home = join(folder, "home");
  const options = { home, env: { ATELIER_PORT: String(await freePort()), ...env } };
  const server = await startAsShipped(options);
  execFileSync(join(checkout, "atelier"), ["editor", "install", "--file", wheel, "--home", home], { stdio: "ignore" });
  const browser = await chromium.launch({ executablePath: program ?? "", args: programArguments, timeout: 120_000 });
  const signIn = async (link: string) => {
    const context = await browser.newContext({ baseURL: server.baseUrl, viewport: { width: 1400, height: 900 } });
    context.setDefaultTimeout(120_000);
    await context.addCookies([{ ...(await sessionOf(server, link)), url: server.baseUrl }]);
    return context;
  };
  const scene: EditorScene = {
    server,
    context: await signIn(firstLink(home)),
    signIn,
    async killAndStart() {
      await scene.server.stop("SIGKILL");
      scene.server = await startAsShipped(options);
    },
    async close() {
      await browser.close();
      await scene.server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  return scene;
}

function firstLink(home: string): string {
  return /^Sign in: +(\S+)/m.exec(readFileSync(`${home}/first-key.txt`, "utf8"))?.[1] ?? "";
}

async function sessionOf({ baseUrl, call }: AsShippedServer, link: string): Promise<{ name: string; value: string }> {
  const headers = { origin: baseUrl, "sec-fetch-site": "same-origin", accept: "application/json" };
  const answer = await call({ method: "POST", path: new URL(link).pathname, headers, body: {} });
  const [name = "", value = ""] = String(answer.headers["set-cookie"]).split(";", 1)[0]?.split("=") ?? [];
  return { name, value };
}
