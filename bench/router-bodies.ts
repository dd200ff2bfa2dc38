// Large bodies and long runs: how late the gateway's event loop runs while twenty bodies of 20 MiB arrive together, what one of
// them adds to its memory, and whether 100,000 calls leave anything behind.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LoopReport } from "./loop-delay.ts";
import type { PostJob } from "./post-generator.ts";
import type { Started, startPoster } from "./processes.ts";
import { requestBody } from "./router-request.ts";
import { residentMegabytes, residentWhile } from "./start-and-rest.ts";

export interface BodiesAndMemory {
  readonly stallMs: number;
  readonly turnMs: number;
  readonly oneBodyMebibytes: number;
  // Heap after a full collection, every tenth of the calls.
  readonly heapMegabytes: readonly number[];
  readonly residentMegabytes: readonly number[];
  readonly calls: number;
}

export interface BodiesOptions {
  readonly poster: ReturnType<typeof startPoster>;
  readonly gateway: Started;
  readonly home: string;
  readonly apiKey: string;
  readonly steadyCalls: number;
}

const bodyBytes = 20 * 1024 * 1024;

export async function measureBodiesAndMemory(options: BodiesOptions): Promise<BodiesAndMemory> {
  const { poster, gateway, home, steadyCalls } = options;
  const report = () => loopReport(gateway, join(home, "loop.json"));
  const job = (more: Partial<PostJob>): PostJob => ({
    port: gateway.port,
    path: "/v1/models/bench/open",
    headers: { "x-api-key": options.apiKey },
    body: requestBody,
    key: null,
    connections: 1,
    milliseconds: 60_000,
    ...more,
  });
  const heapMegabytes: number[] = [];
  const resident: number[] = [];
  const tenths = 10;
  let calls = 0;
  for (let part = 0; part < tenths; part++) {
    const answersMax = Math.round(steadyCalls / tenths);
    const tally = await poster.run(job({ path: "/v1/models/bench/priced", key: "fresh", connections: 32, answersMax }));
    calls += tally.answers;
    heapMegabytes.push((await report()).heapMegabytes);
    resident.push(residentMegabytes(gateway.pid));
  }

  // The thread for large bodies starts with the first one.
  await poster.run(job({ bodyBytes: 1024 * 1024, answersMax: 5 }));
  await report();
  const one = await residentWhile(gateway.pid, 5, () => poster.run(job({ bodyBytes, answersMax: 1 })));
  const oneBodyMebibytes = (one.added * 1e6) / (1024 * 1024);
  for (let round = 0; round < 2; round++) await poster.run(job({ bodyBytes, connections: 20, answersMax: 20 }));
  await report();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await report();
  await poster.run(job({ bodyBytes, connections: 20, answersMax: 20 }));
  const { stallMs, turnMs } = await report();
  return { stallMs, turnMs, oneBodyMebibytes, heapMegabytes, residentMegabytes: resident, calls };
}

async function loopReport(gateway: Started, file: string): Promise<LoopReport> {
  rmSync(file, { force: true });
  process.kill(gateway.pid, "SIGUSR2");
  for (let tries = 0; tries < 400; tries++) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("The gateway does not report its event loop.");
}
