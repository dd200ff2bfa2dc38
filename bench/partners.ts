// Partner tasks: what accepting one adds to the partner's own time, durably, and what 5,000 open tasks cost a process that polls
// each every ten seconds. The server runs as `atelier serve` with the embedded PostgreSQL; the partner is a separate process.
import { Pool } from "undici";
import { liftLimits } from "./calling.ts";
import { atMost, type Finding, median, reportWith } from "./finding.ts";
import { cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { atelier, node, startUntilReady, tempFolder } from "./processes.ts";
import { timed } from "./timing.ts";

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
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("partners")).path;
  const upstream = node("bench/partner-upstream.ts");
  const partner = ends.use(await startUntilReady(upstream, { isPinned: "with the load" }));
  const server = ends.use(
    await atelier(home, true, {
      env: {
        ATELIER_SANDBOX: "off",
        ATELIER_ENGINE_SLOTS: "0",
        ATELIER_BOOTSTRAP_KEY: key,
        ATELIER_BOOTSTRAP_CREDITS: "100000000",
        ATELIER_ADMIN_TOKEN: adminToken,
        ATELIER_LOG_LEVEL: "warn",
        ATELIER_PARTNER_A_URL: `http://127.0.0.1:${partner.port}`,
        ATELIER_PROVIDER_PARTNER_A_KEY: "key",
      },
    }),
  );
  await liftLimits(server, key, adminToken, ["concurrency", "router_and_partner_requests_per_minute"]);
  // Limits are cached for a few seconds.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const proxied = new Pool(`http://127.0.0.1:${server.port}`, { connections: 16 });
  const direct = new Pool(`http://127.0.0.1:${partner.port}`, { connections: 4 });
  ends.defer(() => direct.close());
  ends.defer(() => proxied.close());
  return [...(await accepting(size, proxied, direct)), ...(await polling(size, proxied, direct, server.pid))];
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
    reportWith(cpu.foreignShare()).medianOf("partners: accepting a task adds, p50, durable", added, "ms", atMost(3)),
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
  const [readsBefore, workBefore, began] = [await reads(direct), cpuSecondsOf(pid), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, size.watchSeconds * 1000));
  const seconds = (performance.now() - began) / 1000;
  const perSecond = ((await reads(direct)) - readsBefore) / seconds;
  return [
    reportWith(cpu.foreignShare()).one(
      `partners: ${Math.max(open, size.openTasks)} open tasks, share of a core`,
      ((cpuSecondsOf(pid) - workBefore) / seconds) * 100,
      "%",
      atMost(20),
    ),
    reportWith(null).one("partners: looks at those tasks", perSecond, "calls/s"),
  ];
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
