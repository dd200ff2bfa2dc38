// Kills and pauses real servers, each with its engine, at random moments while jobs are submitted, run and canceled;
// starts new ones, lets everything end, and judges.
import sharp from "sharp";
import { systemClock } from "../../src/foundation/clock.ts";
import { openCount } from "../support/job-records-store.ts";
import { until } from "../support/server-process.ts";
import { startJobClients } from "./job-clients.ts";
import { type JobVerdict, judgeJobs } from "./job-judge.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface JobTorture {
  readonly seed: number;
  readonly jobs: number;
  readonly servers: number;
  readonly lanes: number;
  // The longest that a server lives, in seconds.
  readonly lifeSeconds: number;
  // The longest pause of a lane between two submissions.
  readonly paceSeconds: number;
  readonly pauses: boolean;
  // How many times PostgreSQL is killed as well.
  readonly postgresKills: number;
  say(line: string): void;
}

export interface JobTortureReport extends JobVerdict {
  readonly kills: number;
  readonly pauses: number;
  readonly postgresKills: number;
  readonly submitted: number;
  readonly acknowledged: number;
  readonly troubles: readonly string[];
  readonly seconds: number;
}

const leaseSeconds = 3;
// A port on this machine without a listener.
const silentTarget = "127.0.0.1:9";

export async function tortureJobs(options: JobTorture): Promise<JobTortureReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const settings = {
    ATELIER_JOB_LEASE_SECONDS: String(leaseSeconds),
    ATELIER_ENGINE_SLOTS: "2",
    ATELIER_JOB_SECONDS_MAX: "60",
    ATELIER_BUS: "postgres",
    ATELIER_WEBHOOK_TARGETS: silentTarget,
  };
  const world = await routerWorld(settings, { ownPostgres: options.postgresKills > 0 });
  const alive: RouterServer[] = [];
  let [kills, pauses, postgresKills] = [0, 0, 0];
  let isDone = false;

  async function executioner(own: Seeded, victim: RouterServer | null): Promise<void> {
    for (let next = victim; !isDone; next = null) {
      // A process that starts while PostgreSQL is away exits, and is started again.
      const server = next ?? (await until("a server starts", () => world.start()));
      if (next === null) alive.push(server);
      await systemClock.sleep(own.between(500, options.lifeSeconds * 1000));
      if (options.pauses && !isDone && own.chance(0.3)) {
        pauses++;
        await server.pause((leaseSeconds + 2) * 1000);
      }
      if (isDone) return;
      kills++;
      alive.splice(alive.indexOf(server), 1);
      await server.kill();
      if (kills % 10 === 0) options.say(`${kills} kills, ${clients.jobs.length} jobs`);
    }
  }

  // Spread over the submissions.
  async function killPostgres(own: Seeded): Promise<void> {
    for (let each = 0; each < options.postgresKills && !isDone; each++) {
      const due = ((each + own.next()) / options.postgresKills) * options.jobs;
      await until("it is time", () => isDone || clients.jobs.length >= due, 3_600);
      if (isDone) return;
      postgresKills++;
      await world.killPostgres();
    }
  }

  const first = await world.start();
  alive.push(first);
  const assetId = await upload(world, first);
  const clients = startJobClients({
    lanes: options.lanes,
    random: random.stream("clients"),
    key: world.key,
    jobsMax: options.jobs,
    paceMs: options.paceSeconds * 1000,
    webhookUrl: `http://${silentTarget}/hook`,
    servers: () => alive,
    assetId: () => assetId,
  });
  const killing = Array.from({ length: options.servers }, (_, index) =>
    executioner(random.stream(`executioner ${index}`), index === 0 ? first : null),
  );
  killing.push(killPostgres(random.stream("postgres")));
  try {
    await until("all jobs are submitted", () => clients.jobs.length >= options.jobs, 3_600);
    // Callers that still submit insist until a server answers 201.
    await clients.done;
    isDone = true;
    await Promise.all(killing);
    const last = alive.at(-1) ?? (await until("a server starts", () => world.start()));
    await untilQuiet(world);
    const verdict = await judgeJobs(world, last, clients.jobs);
    return {
      ...verdict,
      kills,
      pauses,
      postgresKills,
      submitted: clients.jobs.length,
      acknowledged: clients.jobs.filter(({ ids }) => ids.size > 0).length,
      troubles: clients.troubles,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    isDone = true;
    await clients.stop();
    await world.close();
  }
}

// Waits while something still ends now and then: speed says nothing about right or wrong.
async function untilQuiet({ database }: RouterWorld): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let open = await openCount(database); open > 0; ) {
    least = Math.min(least, open);
    const isFewer = until("a job or a call ends", async () => (await openCount(database)) < least, 120);
    if ((await isFewer.catch(() => null)) === null) return;
    open = await openCount(database);
  }
}

async function upload(world: RouterWorld, { baseUrl }: RouterServer): Promise<string> {
  const photo = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#c06030" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("content_type", "image/png");
  form.set("file_path", "photo.png");
  form.set("file", new Blob([new Uint8Array(photo)]), "photo.png");
  const headers = { authorization: `Bearer ${world.key}` };
  const answer = await fetch(`${baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
  const { id } = (await answer.json()) as { id: string };
  return id;
}
