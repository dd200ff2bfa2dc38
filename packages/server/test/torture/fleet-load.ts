// The mixed load on a fleet: model calls under keys, jobs, jobs followed by their events, and files sent in pieces. Once
// it has stopped and everything has ended, it judges.
import sharp from "sharp";
import { openCount } from "../support/job-records-store.ts";
import { inLanes } from "../support/router-calls.ts";
import { openInvocations, recordedUnderKey } from "../support/router-records-store.ts";
import { until } from "../support/server-process.ts";
import type { FleetWorld } from "./fleet-world.ts";
import { startJobClients } from "./job-clients.ts";
import { judgeJobs } from "./job-judge.ts";
import { ask, type RouterCall, startClients } from "./router-clients.ts";
import { judge } from "./router-judge.ts";
import type { Seeded } from "./seeded.ts";
import { startStreamClients } from "./stream-clients.ts";
import { startUploadClients, wrongFiles } from "./upload-clients.ts";

export interface FleetLoadOptions {
  readonly random: Seeded;
  readonly lanes: number;
  readonly jobLanes: number;
  readonly streamLanes: number;
  readonly uploadLanes: number;
  // What kind of calls to make; by default with provider faults among them.
  readonly makeCall?: (random: Seeded) => RouterCall;
}

export interface FleetVerdict {
  readonly violations: readonly string[];
  readonly troubles: readonly string[];
  readonly keys: number;
  // Keys that got their result while their caller, which keeps asking, was still patient.
  readonly keysInTime: number;
  readonly calls: number;
  readonly charged: number;
  readonly takenOver: number;
  readonly jobs: number;
  readonly succeeded: number;
  readonly followed: number;
  readonly streamsAgain: number;
  readonly files: number;
}

export interface FleetLoad {
  summary(): string;
  // Lets everything end.
  stop(): Promise<FleetVerdict>;
}

export async function startFleetLoad(world: FleetWorld, options: FleetLoadOptions): Promise<FleetLoad> {
  const assetId = await upload(world);
  const { random } = options;
  const server = () => world.front;
  const clients = startClients({
    lanes: options.lanes,
    random: random.stream("calls"),
    servers: () => [world.front],
    ...(options.makeCall ? { makeCall: options.makeCall } : {}),
  });
  const jobs = startJobClients({
    lanes: options.jobLanes,
    random: random.stream("jobs"),
    key: world.key,
    jobsMax: Number.POSITIVE_INFINITY,
    paceMs: 1_000,
    webhookUrl: "http://127.0.0.1:9/hook",
    servers: () => [world.front],
    assetId: () => assetId,
  });
  const own = { key: world.key, server };
  const streams = startStreamClients({ ...own, lanes: options.streamLanes, random: random.stream("streams") });
  const uploads = startUploadClients({ ...own, lanes: options.uploadLanes, random: random.stream("uploads") });
  return {
    summary: () =>
      `${clients.calls.length} keys, ${jobs.jobs.length} jobs, ${streams.seen.followed} followed, ${uploads.files.length} files`,
    async stop() {
      await Promise.all([clients.stop(), jobs.stop(), streams.stop(), uploads.stop()]);
      const keysInTime = clients.calls.filter(({ answers }) => answers.size > 0).length;
      await untilQuiet(world);
      const troubles = [...clients.troubles, ...jobs.troubles, ...streams.troubles, ...uploads.troubles];
      await askAllAgain(world, clients.calls, troubles);
      const verdict = await judge(world.database, world.provider, clients.calls);
      const jobVerdict = await judgeJobs(world, world.front, jobs.jobs);
      const wrong = await wrongFiles(world.key, world.front, uploads.files);
      return {
        violations: [...new Set([...verdict.violations, ...jobVerdict.violations, ...wrong])],
        troubles,
        keys: clients.calls.length,
        keysInTime,
        calls: verdict.calls,
        charged: verdict.charged,
        takenOver: verdict.takenOver,
        jobs: jobs.jobs.length,
        succeeded: jobVerdict.succeeded,
        followed: streams.seen.followed,
        streamsAgain: streams.seen.again,
        files: uploads.files.filter(({ asset }) => asset !== null).length,
      };
    },
  };
}

async function askAllAgain(world: FleetWorld, calls: readonly RouterCall[], troubles: string[]): Promise<void> {
  await inLanes(16, calls, async (call) => {
    const [recorded] = await recordedUnderKey(world.database, call.key);
    if (recorded?.state === "open") return;
    await until(`the key ${call.key} answers`, () => ask(world.front, call, troubles), 30).catch((error: unknown) =>
      troubles.push(String(error)),
    );
  });
}

// Waits while something still ends now and then: speed says nothing about right or wrong. Calls that the provider never
// heard of wait out their quarantine.
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
