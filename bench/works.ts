// Works: what calling one adds to its bare job, in turns on one connection; whether the catalog and the lists stay flat with
// 10,000 works and 100,000 saved workflows; and saving a document of two megabytes. The server is as shipped.
import { connectionUrl, type Database } from "../packages/server/src/foundation/database/index.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import { type Call, calling } from "./calling.ts";
import { openUntil, postgresIn } from "./database.ts";
import { atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { benchKey } from "./gateway.ts";
import { atelier, tempFolder } from "./processes.ts";
import { timed } from "./timing.ts";
import { multiplySaved, multiplyWorks, removeCopies } from "./works-store.ts";

const works = 10_000;
// With those that the bench saves, below the limit of 100,000.
const workflows = 99_900;

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "bench" } },
};
const form = {
  inputs: [{ name: "color", node: "1", input: "color", kind: "integer", minimum: 0, maximum: 16_777_215 }],
  outputs: [{ name: "picture", node: "2" }],
};

export async function benchWorks(rounds: number): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("works")).path;
  const postgres = await postgresIn(home, ends, { transport: "tcp" });
  const url = connectionUrl(postgres.connection);
  const server = ends.use(
    await atelier(home, true, {
      env: { ATELIER_BOOTSTRAP_KEY: benchKey, DATABASE_URL: url, ATELIER_MIGRATE: "auto" },
    }),
  );
  // For filling it: portions may take longer than a request may.
  const patient = new URL(url);
  patient.searchParams.set("statement_timeout", "600000");
  const database = openUntil(ends, { connection: patient.href, poolSize: 2, log: silentLog });
  const ask = calling(server, benchKey);
  const saved = await ask<Made>("POST", "/account/workflows", { name: "bench", document: graph });
  const published = await ask<Made>("PUT", "/account/works/bench", { workflow_id: saved.id, form, examples: [] });
  return [
    ...(await callWork(ask, published.id, rounds)),
    ...(await saving(ask, rounds)),
    ...(await listing(ask, database, rounds)),
  ];
}

interface Made {
  readonly id: string;
}

// The stream of a job ends with the job.
async function bareJob(ask: Call, color: number): Promise<void> {
  const workflow = { ...graph, "1": { ...graph["1"], inputs: { ...graph["1"].inputs, color } } };
  const { id } = await ask<Made>("POST", "/api/v2/jobs", { workflow });
  await ask("GET", `/api/v2/jobs/${id}/events`);
  await ask("GET", `/api/v2/jobs/${id}`);
}

async function callWork(ask: Call, id: string, rounds: number): Promise<Finding[]> {
  let color = 0;
  const next = () => {
    color += 1;
    return color;
  };
  const callOnce = () => ask("POST", `/v1/models/${id}`, { color: next() });
  for (let at = 0; at < 10; at++) {
    await callOnce();
    await bareJob(ask, next());
  }
  const cpu = watchCpu();
  const [calls, jobs]: [number[], number[]] = [[], []];
  for (let at = 0; at < rounds * 20; at++) {
    calls.push(await timed(callOnce));
    jobs.push(await timed(() => bareJob(ask, next())));
  }
  const { one } = reportWith(cpu.foreignShare());
  const [call, job] = [median(calls), median(jobs)];
  return [
    one("works: a call, p50", call, "ms"),
    one("works: its bare job with stream and read, p50", job, "ms"),
    one("works: added by the call, p50", call - job, "ms", atMost(15)),
  ];
}

async function listing(ask: Call, database: Database, rounds: number): Promise<Finding[]> {
  const lists = [
    ["catalog", "/v1/models?limit=100"],
    ["list of works", "/account/works?limit=100"],
    ["list of saved workflows", "/account/workflows?limit=50"],
  ] as const;
  const measure = async () => {
    const found = new Map<string, number>();
    for (const [name, path] of lists) {
      const times: number[] = [];
      for (let at = 0; at < 5 + rounds * 10; at++) times.push(await timed(() => ask("GET", path)));
      found.set(name, median(times.slice(5)));
    }
    return found;
  };
  await multiplyWorks(database, 200);
  await multiplySaved(database, 200);
  const few = await measure();
  await removeCopies(database);
  await multiplyWorks(database, works);
  await multiplySaved(database, workflows);
  const cpu = watchCpu();
  const many = await measure();
  const { one } = reportWith(cpu.foreignShare());
  return lists.flatMap(([name]): Finding[] => {
    const value = many.get(name) ?? Number.NaN;
    return [
      one(`works: ${name}, p50, 10,000 works and 100,000 workflows`, value, "ms"),
      one(`works: ${name}, of that with 200 of each`, value / (few.get(name) ?? Number.NaN), "times", atMost(1.5)),
    ];
  });
}

async function saving(ask: Call, rounds: number): Promise<Finding[]> {
  const nodes = Object.fromEntries(
    Array.from({ length: 8_000 }, (_, at) => [
      `n${at}`,
      { class_type: "Note", inputs: { text: `${at} ${"a lighthouse at dusk ".repeat(9)}` } },
    ]),
  );
  const bytes = Buffer.byteLength(JSON.stringify(nodes));
  const cpu = watchCpu();
  const times: number[] = [];
  for (let at = 0; at < 3 + rounds * 5; at++) {
    const body = JSON.stringify({
      name: `large ${at}`,
      document: { ...nodes, last: { class_type: "Note", inputs: { at } } },
    });
    times.push(await timed(() => ask("POST", "/account/workflows", body)));
  }
  const value = median(times.slice(3));
  const name = `works: saving a document of ${(bytes / 1e6).toFixed(1)} MB, p50`;
  return [reportWith(cpu.foreignShare()).one(name, value, "ms", atMost(50))];
}
