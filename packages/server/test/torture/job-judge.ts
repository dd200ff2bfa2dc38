// The judge of tortured jobs: every 201 is one job that ended once, its outputs are readable and match their hash, models
// ran and were charged once, and every invariant of the system holds.
import type { Job } from "@atelier/contract";
import { blake3 } from "hash-wasm";
import type { Queryable } from "../../src/foundation/database/index.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { attemptsOfJobs, callsOfJobs } from "../support/job-records-store.ts";
import { inLanes } from "../support/router-calls.ts";
import { allInvocations } from "../support/router-records-store.ts";
import type { SandboxProvider } from "../support/sandbox-provider.ts";
import { lookOn, type SubmittedJob } from "./job-clients.ts";
import { invocationFaults } from "./router-judge.ts";
import type { RouterServer } from "./router-world.ts";

export interface JobVerdict {
  readonly violations: readonly string[];
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
  readonly modelRuns: number;
  // Jobs that were begun more than once, and workers that went silent during one.
  readonly retried: number;
  readonly lost: number;
}

// How a job may end after its workers were killed: with an error that says so, never silently.
const crashCodes = new Set(["engine_crashed", "worker_lost", "engine_closed", "attempts_exhausted", "timed_out"]);

export async function judgeJobs(
  world: { database: Queryable; provider: SandboxProvider; key: string },
  server: RouterServer,
  jobs: readonly SubmittedJob[],
): Promise<JobVerdict> {
  const violations = await brokenAtEnd(world.database);
  const paid = await callsOfJobs(world.database);
  const count = { succeeded: 0, failed: 0, canceled: 0 };
  await inLanes(8, jobs, async (submitted) => {
    if (submitted.ids.size > 1) violations.push(`the key ${submitted.key} names ${submitted.ids.size} jobs`);
    const job = submitted.ids.size === 0 ? null : await lookOn(world.key, server, submitted);
    if (job === null) return;
    if (submitted.ended.size !== 1)
      violations.push(`${job.id} ended as ${[...submitted.ended].join(" and ") || job.status}`);
    if (job.status === "succeeded") count.succeeded++;
    if (job.status === "failed") count.failed++;
    if (job.status === "canceled") count.canceled++;
    const { calls, charged } = paid.get(job.id) ?? { calls: 0, charged: 0 };
    const isPaid = submitted.kind === "model" && job.status === "succeeded";
    if (calls > 1 || charged > 1 || (isPaid && charged !== 1))
      violations.push(`${job.id} (${submitted.kind}, ${job.status}) made ${calls} calls and ${charged} were charged`);
    violations.push(...wrongEnd(submitted, job), ...(await wrongOutputs(world.key, server, submitted, job)));
  });
  const calls = await allInvocations(world.database);
  let modelRuns = 0;
  await inLanes(8, calls, async (call) => {
    const seen = await world.provider.reference(call.callId);
    modelRuns += seen?.runs ?? 0;
    violations.push(...invocationFaults(call, seen));
  });
  const counted = await world.provider.runs();
  if (counted !== modelRuns) violations.push(`the models ran ${counted} times, the calls explain ${modelRuns}`);
  return { violations, ...count, modelRuns, ...(await attemptsOfJobs(world.database)) };
}

async function brokenAtEnd(db: Queryable): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, statement } of allInvariants) {
    const rows = await db.query(statement);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return broken;
}

function wrongEnd({ isCanceled, kind }: SubmittedJob, job: Job): string[] {
  if (job.status === "canceled" && !isCanceled) return [`${job.id} is canceled and nobody asked for it`];
  if (job.status === "expired") return [`${job.id} is expired`];
  if (job.status === "failed" && !crashCodes.has(job.error?.code ?? ""))
    return [`${job.id} (${kind}) failed: ${JSON.stringify(job.error)}`];
  return [];
}

async function wrongOutputs(
  key: string,
  { client }: RouterServer,
  submitted: SubmittedJob,
  job: Job,
): Promise<string[]> {
  if (job.status !== "succeeded") return [];
  if (job.outputs.length !== 1) return [`${job.id} (${submitted.kind}) has ${job.outputs.length} outputs`];
  const faults: string[] = [];
  for (const output of job.outputs) {
    const redirect = await client.call({ path: output.urls.content, headers: bearer(key) });
    const location = redirect.headers["location"];
    const signed = typeof location === "string" ? await fetch(location) : null;
    const bytes = signed?.ok ? Buffer.from(await signed.arrayBuffer()) : null;
    if (bytes === null) faults.push(`${job.id} succeeded and its output cannot be read (${redirect.status})`);
    else if (`blake3:${await blake3(bytes)}` !== output.hash)
      faults.push(`${job.id}: its output is not what its hash says`);
  }
  return faults;
}
