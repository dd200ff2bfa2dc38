// The list of 1,500 node classes against the price badges, in one server and in turns. Both are prepared answers, but the
// classes also authenticate the caller. We compare the CPU time of the server's process per answer, as in badges.ts.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Job, type Measured, measure } from "./badges.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, startLoader } from "./processes.ts";

const badges = "/nodes/pricing/badges?app_version=1.2.3&platform=local";
const classes = "/api/v2/node-classes";
const count = 1_500;

export async function benchClasses(rounds: number, milliseconds: number): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-classes-"));
  const key = `service-${randomBytes(24).toString("hex")}`;
  const admin = `admin-${randomBytes(32).toString("base64url")}`;
  const server = await atelier(home, true, { env: { ATELIER_BOOTSTRAP_KEY: key, ATELIER_ADMIN_TOKEN: admin } });
  const loader = startLoader();
  try {
    const base = `http://127.0.0.1:${server.port}`;
    await bringClasses(base, key, admin);
    const own = { "x-api-key": key };
    const tagOf = async (path: string) => {
      const answer = await fetch(`${base}${path}`, { headers: { ...own, "accept-encoding": "identity" } });
      await answer.arrayBuffer();
      return { "if-none-match": answer.headers.get("etag") ?? "" };
    };
    const of = (name: string, path: string, status: number, headers: Record<string, string>): Job => ({
      ...{ name, server, path, status, headers },
    });
    const jobs = [
      of("badges 200", badges, 200, {}),
      of("classes 200", classes, 200, own),
      of("badges 304", badges, 304, await tagOf(badges)),
      of("classes 304", classes, 304, { ...own, ...(await tagOf(classes)) }),
      of("one class 200", `${classes}/Bench700`, 200, own),
      of("classes searched 200", `${classes}?q=bench%20picture`, 200, own),
    ];
    for (const job of jobs) await measure(loader, job, Math.min(milliseconds, 1_000));
    const measured = new Map(jobs.map(({ name }) => [name, [] as Measured[]]));
    const cpu = watchCpu();
    for (let round = 0; round < rounds; round++)
      for (const job of jobs) measured.get(job.name)?.push(await measure(loader, job, milliseconds));
    return findingsOf(measured, cpu.foreignShare());
  } finally {
    loader.end();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function findingsOf(measured: ReadonlyMap<string, readonly Measured[]>, foreignCpu: number | null): Finding[] {
  const costsOf = (name: string) => (measured.get(name) ?? []).map(({ microseconds }) => microseconds);
  const findings = [...measured].flatMap(([name, own]): Finding[] => {
    const speeds = own.map(({ perSecond }) => perSecond);
    return [
      { name: `${name}: as they came`, value: median(speeds), unit: "answers/s", rounds: speeds, foreignCpu },
      {
        name: `${name}: CPU for one answer`,
        value: median(costsOf(name)),
        unit: "µs",
        rounds: costsOf(name),
        foreignCpu,
      },
    ];
  });
  const share = (name: string, of: string): Finding => ({
    name: `${name} of ${count} node classes: share of ${of}`,
    value: (100 * Math.min(...costsOf(of))) / Math.min(...costsOf(name)),
    unit: "%",
    limit: { kind: "at least", value: 50 },
    foreignCpu,
  });
  return [...findings, share("classes 200", "badges 200"), share("classes 304", "badges 304")];
}

// As reported by a worker whose application has 1,500 classes.
async function bringClasses(base: string, key: string, admin: string): Promise<void> {
  const call = async (method: string, path: string, token: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text === "" ? null : JSON.parse(text);
  };
  const { workspace } = await call("GET", "/account", key);
  const limit = `/admin/workspaces/${workspace.id}/limits/workflow_and_registry_requests_per_minute`;
  await call("PUT", limit, admin, JSON.stringify({ value: 100_000_000 }));
  const { secret } = await call("POST", "/admin/worker-tokens", admin, JSON.stringify({ name: "bench" }));
  const names = Array.from({ length: count }, (_, at) => `Bench${at}`);
  const environment = JSON.stringify({
    engine: "application",
    version: "1.0.0",
    classes: Object.fromEntries(names.map((name) => [name, "0".repeat(16)])),
    descriptions: Object.fromEntries(names.map((name) => [name, describe(name)])),
  });
  const id = randomUUID();
  await call("PUT", `/api/workers/${id}/environment`, secret, environment);
  const environment_id = createHash("sha256").update(environment).digest("hex");
  const about = { name: "bench", slots: 1, environment_id, models_loaded: [] };
  await call("PUT", `/api/workers/${id}`, secret, JSON.stringify(about));
  for (let look = 0; look < 100; look++) {
    const page = await call("GET", `${classes}?q=bench700`, key);
    if (page.data.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The classes were not listed.");
}

function describe(name: string): object {
  const number = ["INT", { default: 20, min: 0, max: 10_000, tooltip: "How often it is done." }];
  const choice = [Array.from({ length: 12 }, (_, at) => `choice-${at}`), {}];
  const required = { image: ["IMAGE"], steps: number, width: number, height: number, method: choice };
  return {
    input: { required, optional: { mask: ["MASK"], text: ["STRING", { default: "", multiline: true }] } },
    output: ["IMAGE", "MASK"],
    output_name: ["IMAGE", "MASK"],
    output_is_list: [false, false],
    name,
    display_name: `Bench ${name}`,
    description: "Does something to a picture, described in a sentence of some length.",
    category: "bench/pictures",
    python_module: "nodes",
    output_node: false,
  };
}
