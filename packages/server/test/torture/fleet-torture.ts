// Kills every part of a fleet in turn and at random while callers go on, lets everything end, and judges: nothing that was
// acknowledged is lost, nothing is charged twice, no invariant is broken. What callers saw meanwhile is counted.
import sharp from "sharp";
import { systemClock } from "../../src/foundation/clock.ts";
import { openCount } from "../support/job-records-store.ts";
import { inLanes } from "../support/router-calls.ts";
import { openInvocations, recordedUnderKey } from "../support/router-records-store.ts";
import { until } from "../support/server-process.ts";
import { type Answered, type FleetSize, type FleetWorld, fleetWorld, type Part } from "./fleet-world.ts";
import { startJobClients } from "./job-clients.ts";
import { judgeJobs } from "./job-judge.ts";
import { ask, startClients } from "./router-clients.ts";
import { judge } from "./router-judge.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface FleetTorture extends FleetSize {
  readonly seed: number;
  readonly seconds: number;
  readonly lanes: number;
  readonly jobLanes: number;
  say(line: string): void;
}

export interface FleetReport extends Answered {
  readonly violations: readonly string[];
  readonly troubles: readonly string[];
  readonly strikes: Readonly<Record<Part, number>>;
  readonly keys: number;
  readonly calls: number;
  readonly charged: number;
  readonly takenOver: number;
  readonly jobs: number;
  readonly succeeded: number;
  readonly seconds: number;
}

// A failover takes long and its rebuilding longer; gateways are what there is most of.
const victims: readonly [Part, ...Part[]] = [
  "gateway",
  "gateway",
  "gateway",
  "worker",
  "worker",
  "nats",
  "haproxy",
  "postgres",
];
const inTurn: readonly Part[] = ["gateway", "worker", "nats", "postgres", "haproxy"];

export async function tortureFleet(options: FleetTorture): Promise<FleetReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const world = await fleetWorld(options);
  const strikes: Record<Part, number> = { gateway: 0, worker: 0, postgres: 0, nats: 0, haproxy: 0 };
  try {
    const assetId = await upload(world);
    const servers = () => [world.front];
    const clients = startClients({ lanes: options.lanes, random: random.stream("calls"), servers });
    const jobs = startJobClients({
      lanes: options.jobLanes,
      random: random.stream("jobs"),
      key: world.key,
      jobsMax: Number.POSITIVE_INFINITY,
      paceMs: 1_000,
      webhookUrl: "http://127.0.0.1:9/hook",
      servers,
      assetId: () => assetId,
    });
    const endMs = performance.now() + options.seconds * 1000;
    const strike = async (part: Part, own: Seeded) => {
      strikes[part] += 1;
      await world.strike(part, Math.floor(own.next() * 1_000));
      const count = Object.values(strikes).reduce((sum, each) => sum + each, 0);
      if (count % 5 === 0) options.say(`${count} strikes, ${clients.calls.length} keys, ${jobs.jobs.length} jobs`);
    };
    const own = random.stream("victims");
    for (const part of inTurn) if (performance.now() < endMs) await strike(part, own);
    while (performance.now() < endMs) {
      await systemClock.sleep(own.between(200, 2_000));
      await strike(own.pick(victims), own);
    }
    await clients.stop();
    await jobs.stop();
    await untilQuiet(world);
    const troubles = [...clients.troubles, ...jobs.troubles];
    await inLanes(16, clients.calls, async (call) => {
      const [recorded] = await recordedUnderKey(world.database, call.key);
      if (recorded?.state === "open") return;
      await until(`the key ${call.key} answers`, () => ask(world.front, call, troubles), 30).catch((error: unknown) =>
        troubles.push(String(error)),
      );
    });
    const verdict = await judge(world.database, world.provider, clients.calls);
    const jobVerdict = await judgeJobs(world, world.front, jobs.jobs);
    return {
      violations: [...new Set([...verdict.violations, ...jobVerdict.violations])],
      troubles,
      strikes,
      keys: clients.calls.length,
      calls: verdict.calls,
      charged: verdict.charged,
      takenOver: verdict.takenOver,
      jobs: jobs.jobs.length,
      succeeded: jobVerdict.succeeded,
      ...world.answered,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await world.close();
  }
}

// As long as something ends now and then: how fast says nothing about right or wrong. Calls that the provider never heard of
// wait out their quarantine.
async function untilQuiet({ database, provider }: FleetWorld): Promise<void> {
  const open = async () => {
    const calls = await openInvocations(database);
    const known = await Promise.all(calls.map(({ callId }) => provider.reference(callId)));
    const unheard = known.filter((each) => each === null).length;
    return (await openCount(database)) - unheard;
  };
  let least = Number.POSITIVE_INFINITY;
  for (let count = await open(); count > 0; count = await open()) {
    least = Math.min(least, count);
    const isFewer = until("a job or a call ends", async () => (await open()) < least, 120);
    if ((await isFewer.catch(() => null)) === null) return;
  }
}

async function upload({ front, key }: FleetWorld): Promise<string> {
  const picture = sharp({ create: { width: 40, height: 40, channels: 3, background: "#c06030" } });
  const form = new FormData();
  form.set("content_type", "image/png");
  form.set("file_path", "photo.png");
  form.set("file", new Blob([new Uint8Array(await picture.png().toBuffer())]), "photo.png");
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${front.baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
  return (Object(await answer.json()) as { id: string }).id;
}
