// Shared by the tests of this capability; contains no tests. `aProcess` is a whole capability as another process would have
// it: two of them share the database, the disk and the bus, and nothing else.

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { type Bus, inProcessBus } from "../../foundation/bus/bus.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { type Assets, createAssets } from "../assets/index.ts";
import { createBlobs, fileBlobStorage } from "../blobs/index.ts";
import { callInvariants, fundWallet } from "../calls/shared-sql.ts";
import { createLimits } from "../limits/index.ts";
import { createSealer } from "../secrets/index.ts";
import { deliveryFacts } from "../webhooks/shared-sql.ts";
import { createJobs, type JobsDeps, type RunningJobs } from "./create-jobs.ts";
import type { JobId, PoolId, Submission, WorkerId } from "./job.ts";
import { jobInvariants } from "./job-invariants-store.ts";
import type { Jobs } from "./jobs.ts";
import type { ClaimedJob } from "./worker-port.ts";

export interface JobsFixture {
  readonly db: TestDatabase;
  readonly bus: Bus;
  readonly assets: Assets;
  readonly poolId: PoolId;
  aWorkspace(credits?: bigint): Promise<WorkspaceId>;
  aProcess(changed?: Partial<JobsDeps>): RunningJobs;
  // A submission of this workspace, free of charge and without a key unless `changed` says otherwise.
  submission(workspaceId: WorkspaceId, changed?: Partial<Submission>): Submission;
  submitted(jobs: Jobs, workspaceId: WorkspaceId, changed?: Partial<Submission>): Promise<JobId>;
  broken(): Promise<string[]>;
  // Lets the job's lease run out.
  loseLease(jobId: JobId): Promise<void>;
  passBackoff(): Promise<void>;
  // Lets expires_at pass.
  age(jobId: JobId): Promise<void>;
  close(): Promise<void>;
}

export const fingerprintOf = (text: string) => Buffer.alloc(32, text);

export async function aJobsFixture(): Promise<JobsFixture> {
  const db = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "atelier-jobs-"));
  const secret = randomBytes(32);
  const keyRing = { current: () => ({ id: "k1", secret }), verifying: () => [{ id: "k1", secret }] };
  const storage = fileBlobStorage({ directory: join(folder, "blobs"), reserve: { bytes: 0, share: 0 } });
  const blobs = createBlobs({ database: db, storage, graceSeconds: 0 });
  const cursors = createCursors({ secrets: [secret], clock: systemClock });
  const limits = createLimits({ database: db, clock: systemClock });
  const settings = {
    contentUrl: () => "http://127.0.0.1:1",
    signedUrlSeconds: 6 * 3600,
    retentionSeconds: null,
  };
  const assets = createAssets({
    database: db,
    blobs,
    limits,
    keyRing,
    cursors,
    clock: systemClock,
    log: silentLog,
    settings,
  });
  const bus = inProcessBus();
  const poolId = newId<"pool">();
  const processes: Jobs[] = [];
  const submission: JobsFixture["submission"] = (workspaceId, changed = {}) => ({
    workspaceId,
    apiKeyId: null,
    poolId,
    workflow: Buffer.from('{"1":{"class_type":"EmptyImage","inputs":{}}}'),
    nodesTotal: 1,
    assetIds: [],
    metadata: null,
    priority: 0,
    webhookUrl: null,
    extraData: null,
    idempotencyKey: null,
    fingerprint: fingerprintOf("a"),
    holds: [],
    ...changed,
  });
  return {
    db,
    bus,
    assets,
    poolId,
    submission,
    async aWorkspace(credits = 0n) {
      const id = newId<"workspace">();
      await db.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'Studio', now())`);
      if (credits > 0n) await fundWallet(db, { transactionId: newId(), workspaceId: id, amount: credits });
      return id;
    },
    aProcess(changed = {}) {
      const base = { database: db, clock: systemClock, log: silentLog, bus, assets, limits, cursors };
      const jobs = createJobs({ ...base, sealer: createSealer(keyRing), ...changed });
      processes.push(jobs);
      return jobs;
    },
    async submitted(jobs, workspaceId, changed) {
      const answer = await jobs.submit(submission(workspaceId, changed));
      if (answer.kind !== "created") throw new Error(`not created: ${answer.kind}`);
      return answer.job.id;
    },
    async broken() {
      const broken: string[] = [];
      for (const { name, statement } of [...jobInvariants(deliveryFacts), ...callInvariants]) {
        if ((await db.query(statement)).length > 0) broken.push(name);
      }
      return broken;
    },
    async loseLease(jobId) {
      await db.execute(sql`update job_leases set lease_until = now() - interval '1 second' where job_id = ${jobId}`);
    },
    async passBackoff() {
      await db.execute(sql`update job_ready set run_at = now() where run_at > now()`);
    },
    async age(jobId) {
      await db.execute(sql`
        update jobs set expires_at = now() - interval '1 second', due_at = now() - interval '1 second' where id = ${jobId}`);
    },
    async close() {
      await Promise.all(processes.map((jobs) => jobs.close()));
      await assets.close();
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const aWorker = () => newId<"worker">();

export function claim(
  jobs: Jobs,
  poolId: PoolId,
  changed: { workerId?: WorkerId; slots?: number; waitMs?: number; signal?: AbortSignal } = {},
): Promise<readonly ClaimedJob[]> {
  const asked = { workerId: aWorker(), slots: 1, waitMs: 60_000, signal: new AbortController().signal, ...changed };
  return jobs.workers.claim({ poolId, ...asked });
}

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export const isFault = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;
export const succeeded = { kind: "succeeded", outputsReused: false, executedWorkflow: null } as const;

export async function until<T>(look: () => Promise<T | null> | T | null, what: string): Promise<T> {
  for (let tries = 0; tries < 6_000; tries++) {
    const found = await look();
    if (found !== null) return found;
    await systemClock.sleep(10);
  }
  throw new Error(`never seen: ${what}`);
}
