// The list of 1,500 node classes against the price badges, in one server and in turns. Both are prepared answers, but the
// classes also authenticate the caller. We compare the CPU time of the server's process per answer, as in badges.ts.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { etagOf, type Job, leastCost, type Measured, measure, speedAndCost } from "./badges.ts";
import { calling, liftLimits } from "./calling.ts";
import { atLeast, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, type Started, startLoader, tempFolder } from "./processes.ts";

const badges = "/nodes/pricing/badges?app_version=1.2.3&platform=local";
const classes = "/api/v2/node-classes";
const count = 1_500;

export async function benchClasses(rounds: number, milliseconds: number): Promise<Finding[]> {
  using home = tempFolder("classes");
  const key = `service-${randomBytes(24).toString("hex")}`;
  const admin = `admin-${randomBytes(32).toString("base64url")}`;
  const env = { ATELIER_BOOTSTRAP_KEY: key, ATELIER_ADMIN_TOKEN: admin };
  await using server = await atelier(home.path, true, { env });
  using loader = startLoader();
  await bringClasses(server, key, admin);
  const own = { "x-api-key": key };
  const of = (name: string, path: string, status: number, headers: Record<string, string>): Job => ({
    ...{ name, server, path, status, headers },
  });
  const jobs = [
    of("badges 200", badges, 200, {}),
    of("classes 200", classes, 200, own),
    of("badges 304", badges, 304, await etagOf(server, badges, own)),
    of("classes 304", classes, 304, { ...own, ...(await etagOf(server, classes, own)) }),
    of("one class 200", `${classes}/Bench700`, 200, own),
    of("classes searched 200", `${classes}?q=bench%20picture`, 200, own),
  ];
  for (const job of jobs) await measure(loader, job, Math.min(milliseconds, 1_000));
  const measured = new Map(jobs.map(({ name }) => [name, [] as Measured[]]));
  const cpu = watchCpu();
  for (let round = 0; round < rounds; round++)
    for (const job of jobs) measured.get(job.name)?.push(await measure(loader, job, milliseconds));
  return findingsOf(measured, cpu.foreignShare());
}

function findingsOf(measured: ReadonlyMap<string, readonly Measured[]>, foreignCpu: number | null): Finding[] {
  const { one } = reportWith(foreignCpu);
  const costOf = (name: string) => leastCost(measured.get(name) ?? []);
  const share = (name: string, of: string): Finding => {
    const what = `${name} of ${count} node classes: share of ${of}`;
    return one(what, (100 * costOf(of)) / costOf(name), "%", atLeast(50));
  };
  return [
    ...[...measured].flatMap(([name, own]) => speedAndCost(name, own, foreignCpu)),
    share("classes 200", "badges 200"),
    share("classes 304", "badges 304"),
  ];
}

// As reported by a worker whose application has 1,500 classes.
async function bringClasses(server: Started, key: string, admin: string): Promise<void> {
  await liftLimits(server, key, admin, ["workflow_and_registry_requests_per_minute"]);
  const made = await calling(server, admin)<{ secret: string }>("POST", "/admin/worker-tokens", { name: "bench" });
  const asWorker = calling(server, made.secret);
  const names = Array.from({ length: count }, (_, at) => `Bench${at}`);
  const environment = JSON.stringify({
    engine: "application",
    version: "1.0.0",
    classes: Object.fromEntries(names.map((name) => [name, "0".repeat(16)])),
    descriptions: Object.fromEntries(names.map((name) => [name, describe(name)])),
  });
  const id = randomUUID();
  await asWorker("PUT", `/api/workers/${id}/environment`, environment);
  const environment_id = createHash("sha256").update(environment).digest("hex");
  const about = { name: "bench", slots: 1, environment_id, models_loaded: [] };
  await asWorker("PUT", `/api/workers/${id}`, about);
  const list = calling(server, key);
  for (let look = 0; look < 100; look++) {
    const { data } = await list<{ data: object[] }>("GET", `${classes}?q=bench700`);
    if (data.length > 0) return;
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
