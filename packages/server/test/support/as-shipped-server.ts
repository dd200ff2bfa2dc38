// The server exactly as `npm start` runs it: the real command in a separate process, with the sandbox beside it, and
// nothing set except its folder and free ports. In particular there are no test flags, so only this finds code that works
// under those flags alone. A start takes seconds: share one among the tests of a file.
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppCall, bearer, openClient } from "./app-client.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface AsShippedServer {
  readonly baseUrl: string;
  // The first workspace's key, as the first start wrote it down.
  readonly key: string;
  readonly home: string;
  readonly process: ServerProcess;
  // Calls as the owner of that key.
  readonly call: AppCall;
  log(): string;
  // Ends it as a service manager does (SIGTERM by default) and returns its exit code; the folder stays.
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  // Ends it if it still runs, and removes the folder if it was created here.
  close(): Promise<void>;
}

export interface AsShippedOptions {
  // The data folder. By default a new one, removed by `close`.
  readonly home?: string;
  // Extra settings; none is needed.
  readonly env?: Readonly<Record<string, string>>;
}

export async function startAsShipped(options: AsShippedOptions = {}): Promise<AsShippedServer> {
  const folder = options.home === undefined ? await mkdtemp(join(tmpdir(), "atelier-shipped-")) : null;
  const home = options.home ?? join(String(folder), "home");
  const server = await startServerProcess({
    home,
    env: { ATELIER_SANDBOX: "auto", ...options.env },
    isAsShipped: true,
  });
  const key = firstKey(home);
  const client = openClient(server.baseUrl);
  const stop = (signal: NodeJS.Signals = "SIGTERM") => server.kill(signal);
  return {
    baseUrl: server.baseUrl,
    key,
    home,
    process: server,
    call: (request) => client.call({ ...request, headers: { ...bearer(key), ...request.headers } }),
    log: () => server.log(),
    stop,
    async close() {
      await client.close();
      await stop();
      if (folder !== null) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function firstKey(home: string): string {
  const file = join(home, "first-key.txt");
  const key = existsSync(file) ? /^API key: +(\S+)/m.exec(readFileSync(file, "utf8"))?.[1] : undefined;
  if (key === undefined) throw new Error(`There is no first key in ${file}.`);
  return key;
}
