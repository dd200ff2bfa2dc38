// Partner tasks: what accepting one adds to the partner's own time, durably, and what 5,000 open tasks cost a process that polls
// each every ten seconds. The server runs as `atelier serve` with the embedded PostgreSQL; the partner is a separate process.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { startUntilReady } from "./processes.ts";

const key = `service-${"bench".repeat(8)}`;
const adminToken = `admin-${"bench".repeat(10)}`;
const body = JSON.stringify({ image: "iVBORw0KGgo=", prompt: "warm light from the left", style: "clean" });
const path = "/v1/ai/image-relight";

export interface PartnerBench {
  readonly rounds: number;
  readonly calls: number;
  readonly openTasks: number;
  readonly watchSeconds: number;
}

export async function benchPartners(size: PartnerBench): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-partners-"));
  const source = [process.execPath, "--conditions=atelier-source"] as const;
  const partner = await startUntilReady([...source, "bench/partner-upstream.ts"], { isPinned: "with the load" });
  const server = await startUntilReady([...source, "packages/cli/bin/atelier.mjs", "serve"], {
    isPinned: true,
    env: {
      ATELIER_HOME: home,
      ATELIER_PORT: "0",
      ATELIER_SANDBOX: "off",
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_BOOTSTRAP_KEY: key,
      ATELIER_BOOTSTRAP_CREDITS: "100000000",
      ATELIER_ADMIN_TOKEN: adminToken,
      ATELIER_LOG_LEVEL: "warn",
      ATELIER_PARTNER_A_URL: `http://127.0.0.1:${partner.port}`,
      ATELIER_PROVIDER_PARTNER_A_KEY: "key",
    },
  });
  const proxied = new Pool(`http://127.0.0.1:${server.port}`, { connections: 16 });
  const direct = new Pool(`http://127.0.0.1:${partner.port}`, { connections: 4 });
  try {
    await raiseLimits(proxied);
    return [...(await accepting(size, proxied, direct)), ...(await polling(size, proxied, direct, server.pid))];
  } finally {
    await proxied.close();
    await direct.close();
    await server.stop();
    await partner.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

// In turns, one at a time: the difference is what we add.
async function accepting(size: PartnerBench, proxied: Pool, direct: Pool): Promise<Finding[]> {
  const cpu = watchCpu();
  const added: number[] = [];
  for (let round = 0; round <= size.rounds; round++) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let call = 0; call < size.calls; call++) {
      theirs.push(await timed(() => post(direct, path)));
      ours.push(await timed(() => post(proxied, `/proxy/partner-a${path}`)));
    }
    // The first round warms up.
    if (round > 0) added.push(median(ours) - median(theirs));
  }
  return [
    {
      name: "partners: accepting a task adds, p50, durable",
      value: median(added),
      unit: "ms",
      limit: { kind: "at most", value: 3 },
      rounds: added,
      foreignCpu: cpu.foreignShare(),
    },
  ];
}

async function polling(size: PartnerBench, proxied: Pool, direct: Pool, pid: number): Promise<Finding[]> {
  const open = (size.rounds + 1) * size.calls;
  const more = Math.max(0, size.openTasks - open);
  let left = more;
  const lane = async () => {
    while (left-- > 0) await post(proxied, `/proxy/partner-a${path}`);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  // Intervals grow from two seconds to ten.
  await new Promise((resolve) => setTimeout(resolve, 40_000));
  const cpu = watchCpu();
  const [readsBefore, workBefore, began] = [await reads(direct), cpuSeconds(pid), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, size.watchSeconds * 1000));
  const seconds = (performance.now() - began) / 1000;
  const perSecond = ((await reads(direct)) - readsBefore) / seconds;
  return [
    {
      name: `partners: ${Math.max(open, size.openTasks)} open tasks, share of a core`,
      value: ((cpuSeconds(pid) - workBefore) / seconds) * 100,
      unit: "%",
      limit: { kind: "at most", value: 20 },
      foreignCpu: cpu.foreignShare(),
    },
    { name: "partners: looks at those tasks", value: perSecond, unit: "calls/s", foreignCpu: null },
  ];
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

async function post(pool: Pool, to: string): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const answer = await pool.request({ method: "POST", path: to, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${to} answered ${answer.statusCode}: ${text}`);
}

async function reads(direct: Pool): Promise<number> {
  const answer = await direct.request({ method: "GET", path: "/reads" });
  return Number(await answer.body.text());
}

async function raiseLimits(pool: Pool): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${adminToken}` };
  const listed = await pool.request({ method: "GET", path: "/admin/workspaces?limit=1", headers });
  const { data } = (await listed.body.json()) as { data: { id: string }[] };
  for (const name of ["concurrency", "router_and_partner_requests_per_minute"]) {
    const to = `/admin/workspaces/${data[0]?.id}/limits/${name}`;
    const answer = await pool.request({ method: "PUT", path: to, headers, body: '{"value":1000000}' });
    if (answer.statusCode !== 200) throw new Error(await answer.body.text());
    await answer.body.dump();
  }
  // Limits are cached for a few seconds.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
}

// User and system time of the process, in seconds.
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
