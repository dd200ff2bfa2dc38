// A proxy and an application as real processes, with homes and ports that outlive them, so that both can be killed and
// restarted in any order; and a client that does not give up.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SpawnedSandboxApplication, spawnSandboxApplication } from "@atelier/sandbox";
import { freePort } from "../support/free-port.ts";
import { postgresPid, type ServerProcess, startServerProcess, until } from "../support/server-process.ts";

export type ProxyEvent = "kill proxy" | "kill application" | "start proxy" | "start application";

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  json(): unknown;
}

export interface ProxyWorld {
  readonly url: string;
  happen(event: ProxyEvent): Promise<void>;
  // Retries while there is no answer and while the application is unreachable.
  ask(path: string, init?: RequestInit): Promise<ProxyAnswer>;
  close(): Promise<void>;
}

const answerSecondsMax = 90;

export async function proxyWorld(): Promise<ProxyWorld> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-proxy-world-"));
  const [home, applicationHome] = [join(folder, "proxy"), join(folder, "application")];
  // Chosen beforehand: ports that the system assigned might belong to another program when their owners come back.
  const [applicationPort, proxyPort] = [await freePort(), await freePort()];
  const atPort = { home: applicationHome, port: applicationPort };
  let application: SpawnedSandboxApplication = await spawnSandboxApplication(atPort);
  const { url: applicationUrl } = application;
  const startProxy = (): Promise<ServerProcess> =>
    startServerProcess({
      home: join(folder, "unused"),
      command: ["proxy", "run"],
      env: {
        ATELIER_PROXY_HOME: home,
        ATELIER_PROXY_PORT: String(proxyPort),
        ATELIER_APPLICATION_URL: applicationUrl,
        ATELIER_APPLICATION_FOLDER: applicationHome,
      },
    });
  let proxy = await startProxy();
  // While both are dead, nothing else keeps this process running.
  const awake = setInterval(() => undefined, 60_000);
  const url = proxy.baseUrl;
  const happen = async (event: ProxyEvent): Promise<void> => {
    switch (event) {
      case "kill proxy":
        await proxy.kill("SIGKILL");
        return;
      case "kill application":
        return application.kill();
      case "start proxy":
        proxy = await startProxy();
        return;
      case "start application":
        application = await spawnSandboxApplication(atPort);
    }
  };
  return {
    url,
    happen,
    ask: (path, init) =>
      until(`an answer of ${path}`, async () => answerOf(await fetch(new URL(path, url), init)), answerSecondsMax),
    async close() {
      await proxy.kill("SIGTERM");
      await application.kill();
      await until("PostgreSQL ended", () => postgresPid(home) === null);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      clearInterval(awake);
    },
  };
}

async function answerOf(answer: Response): Promise<ProxyAnswer | null> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status === 503) return null;
  return { status: answer.status, headers: answer.headers, bytes, json: () => JSON.parse(bytes.toString("utf8")) };
}
