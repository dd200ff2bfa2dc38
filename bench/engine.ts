// The engine against sharp, in turns: a graph of twenty nodes on 1024 × 1024 through a child process, every result kept as in a
// real job (each job in its own scope, so nothing is reused), and the same steps written directly in sharp. A disturbance only
// ever adds time, so we compare the minima. Then: how long until a child can take a job, and whether eight concurrent jobs keep
// all cores busy.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type EngineHost, type EnginePool, openEnginePool } from "@atelier/engine";
import { directly, graph, photo } from "./engine-work.ts";
import { atLeast, atMost, type Finding, reportWith } from "./finding.ts";
import { cores, cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { root } from "./processes.ts";

// The kernel counts CPU time in hundredths of a second, so a single job is too short to measure.
const jobsPerRound = 3;
const jobsAtOnce = 8;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export async function benchEngine(rounds: number): Promise<Finding[]> {
  const pictures = { one: await photo(1), two: await photo(2) };
  return [
    ...(await benchGraph(rounds, pictures)),
    ...(await benchStarts(Math.max(3, rounds))),
    ...(await benchCrowd(rounds, pictures)),
  ];
}

interface Pictures {
  readonly one: Buffer;
  readonly two: Buffer;
}

function hostOf({ one, two }: Pictures): EngineHost {
  return {
    readAsset: async (reference) => ({ bytes: "name" in reference && reference.name === "one.png" ? one : two }),
    callModel: () => Promise.reject(new Error("The graph calls no model.")),
    saveOutput: async () => {},
    onEvent: () => {},
  };
}

let jobs = 0;

async function runJob(pool: EnginePool, host: EngineHost): Promise<void> {
  const id = `job ${jobs++}`;
  const result = await pool.run({ id, graph, cacheScope: id }, host);
  if (result.status !== "succeeded") throw new Error(`The graph did not run: ${JSON.stringify(result)}`);
}

async function benchGraph(rounds: number, pictures: Pictures): Promise<Finding[]> {
  const pool = openEnginePool({ size: 1 });
  const host = hostOf(pictures);
  const engine: Cost[] = [];
  const peer: Cost[] = [];
  try {
    await pool.warm();
    const first = await measure(pool, 1, () => runJob(pool, host));
    await measure(pool, jobsPerRound, () => runJob(pool, host));
    await directly(pictures.one, pictures.two);
    const cpu = watchCpu();
    for (let round = 0; round < rounds; round++) {
      engine.push(await measure(pool, jobsPerRound, () => runJob(pool, host)));
      peer.push(await measure(pool, jobsPerRound, () => directly(pictures.one, pictures.two)));
    }
    return graphFindings(first, engine, peer, cpu.foreignShare());
  } finally {
    await pool.close();
  }
}

// Of the children and of this process: handing over files is part of the price.
async function measure(pool: EnginePool, times: number, work: () => Promise<unknown>): Promise<Cost> {
  const children = () => pool.processIds.reduce((sum, id) => sum + cpuSecondsOf(id), 0);
  const [childrenBefore, ownBefore, began] = [children(), process.cpuUsage(), performance.now()];
  for (let time = 0; time < times; time++) await work();
  const own = process.cpuUsage(ownBefore);
  const cpuMs = (children() - childrenBefore) * 1000 + (own.user + own.system) / 1000;
  return { wallMs: (performance.now() - began) / times, cpuMs: cpuMs / times };
}

function graphFindings(
  first: Cost,
  engine: readonly Cost[],
  peer: readonly Cost[],
  foreignCpu: number | null,
): Finding[] {
  const cpuOf = (costs: readonly Cost[]) => costs.map(({ cpuMs }) => cpuMs);
  const wallOf = (costs: readonly Cost[]) => costs.map(({ wallMs }) => wallMs);
  const { one, medianOf } = reportWith(foreignCpu);
  const what = "20 nodes on 1024²";
  const ratio = (name: string, own: readonly number[], other: readonly number[]) =>
    one(`${what}: engine against sharp, ${name}`, Math.min(...own) / Math.min(...other), "times", atMost(2));
  return [
    medianOf(`${what}: engine, CPU`, cpuOf(engine), "ms"),
    medianOf(`${what}: engine, wall`, wallOf(engine), "ms"),
    medianOf(`${what}: engine, first job of a new child, CPU`, [first.cpuMs], "ms"),
    medianOf(`${what}: sharp, CPU`, cpuOf(peer), "ms"),
    medianOf(`${what}: sharp (all cores), wall`, wallOf(peer), "ms"),
    ratio("CPU", cpuOf(engine), cpuOf(peer)),
    ratio("wall", wallOf(engine), wallOf(peer)),
  ];
}

// From requesting a child to its readiness, with the files in the system's cache.
async function benchStarts(rounds: number): Promise<Finding[]> {
  const built = join(root, "packages/engine/dist/index.js");
  // Shipped means built; from sources the types are stripped at every start.
  const findings = [await benchStart("from sources", openEnginePool, rounds)];
  if (existsSync(built)) {
    const engine: { openEnginePool: typeof openEnginePool } = await import(pathToFileURL(built).href);
    findings.push(await benchStart("built", engine.openEnginePool, rounds, atMost(150)));
  }
  return findings;
}

async function benchStart(
  name: string,
  open: typeof openEnginePool,
  rounds: number,
  limit?: Finding["limit"],
): Promise<Finding> {
  const cpu = watchCpu();
  const took: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pool = open({ size: 1 });
    const began = performance.now();
    await pool.warm();
    // The first fills the system's cache.
    if (round > 0) took.push(performance.now() - began);
    await pool.close();
  }
  const { one } = reportWith(cpu.foreignShare());
  return one(`start of a child, warm, ${name}`, Math.min(...took), "ms", limit, took);
}

// Concurrent jobs in as many children as there are cores: how much of the available time was used.
async function benchCrowd(rounds: number, pictures: Pictures): Promise<Finding[]> {
  const pool = openEnginePool({ size: cores });
  const host = hostOf(pictures);
  const used: number[] = [];
  const whole = watchCpu();
  try {
    const crowd = () => Promise.all(Array.from({ length: jobsAtOnce }, () => runJob(pool, host)));
    await pool.warm();
    await crowd();
    for (let round = 0; round < rounds; round++) {
      const cpu = watchCpu();
      const { wallMs, cpuMs } = await measure(pool, 1, crowd);
      used.push((100 * cpuMs) / (wallMs * cores * (1 - (cpu.foreignShare() ?? 0))));
    }
  } finally {
    await pool.close();
  }
  return [
    reportWith(whole.foreignShare()).medianOf(
      `${jobsAtOnce} graphs at once: share of the ${cores} cores in use, of what others left`,
      used,
      "%",
      atLeast(80),
    ),
  ];
}
