// The capability on a real database: what operators may ask for, what the scaling signal says and how often, and that a
// removed deployment leaves nothing running.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { type Database, sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { createAudit } from "../audit/index.ts";
import type { JobId } from "../jobs/index.ts";
import type { Notice } from "../webhooks/index.ts";
import { createDeployments, type Deployments } from "./create-deployments.ts";
import type { DeploymentId, DeploymentInput, ReportedWorker } from "./deployment.ts";
import { poolOf } from "./deployment.ts";
import { idleSeconds } from "./wanted-workers.ts";

const by = { actor: { kind: "system", id: null } } as const;
const clock = handClock(new Date("2026-03-01T00:00:00.000Z"));
const notices: Notice[] = [];
const canceled: JobId[] = [];
let database: TestDatabase;
let deployments: Deployments;
let workers: readonly ReportedWorker[] = [];
const workspaceId = newId<"workspace">();

before(async () => {
  database = await testDatabase();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'One', now())`);
  deployments = build();
});
after(() => database.close());

function build(over: Database = database): Deployments {
  return createDeployments({
    database: over,
    clock,
    audit: createAudit({ database }),
    webhooks: {
      checkScaleUrl: (url) => (url.startsWith("https:") ? null : "must be https"),
      enqueue: async (_tx, signals) => {
        notices.push(...signals);
        return [];
      },
      wake: () => undefined,
    },
    jobs: {
      async cancelMany({ jobIds }) {
        canceled.push(...jobIds);
        for (const id of jobIds) await database.execute(sql`delete from job_ready where job_id = ${id}`);
        return jobIds;
      },
    },
    present: async () => workers,
  });
}

const input = (more: Partial<DeploymentInput> = {}): DeploymentInput => ({
  name: "pictures",
  environment: {
    engine: "embedded",
    engineVersion: null,
    nodeClasses: null,
    settings: { jobSecondsMax: null, jobMemoryMegabytesMax: null },
  },
  workersMin: 0,
  workersMax: 3,
  jobsPerWorker: 2,
  workspaceId,
  scaleWebhookUrl: "https://scaler.example/hook",
  ...more,
});

const aWorker: ReportedWorker = {
  workerId: newId(),
  name: "w",
  slots: 1,
  environment: { engine: "embedded", version: "1", classes: {} },
  seenAt: new Date(),
};

async function queue(poolId: string, count: number, of: WorkspaceId = workspaceId): Promise<void> {
  for (let made = 0; made < count; made++)
    await database.execute(sql`
      insert into job_ready (job_id, pool_id, workspace_id, rank) values (${newId()}, ${poolId}, ${of}, 0)`);
}

test("contradictory settings are refused and nothing is stored", async () => {
  for (const more of [
    { workersMin: 4 },
    { workspaceId: null },
    { scaleWebhookUrl: "http://scaler.example" },
  ] satisfies Partial<DeploymentInput>[])
    await assert.rejects(deployments.create(input(more), by), { code: "invalid_request" });
  assert.deepEqual(await deployments.list({ after: null, count: 10 }), []);
});

test("the autoscaler gets each change of the wanted workers once, in order, from whichever process is first", async () => {
  const { id } = await deployments.create(input(), by);
  const others = [build(), build()];
  const signal = () => Promise.all([deployments, ...others].map((each) => each.signal()));
  const signals = () =>
    notices
      .filter(({ subjectId }) => subjectId === id)
      .map(({ sequence, body }) => {
        const { workers_wanted, sequence: inside }: Record<string, unknown> = JSON.parse(Buffer.from(body).toString());
        assert.equal(inside, sequence);
        return [sequence, workers_wanted];
      });
  await signal();
  assert.deepEqual(signals(), [], "nobody was wanted, and nobody is");
  await queue(poolOf(id), 3);
  await signal();
  await signal();
  assert.deepEqual(signals(), [[1, 2]]);
  await queue(poolOf(id), 10);
  await signal();
  assert.deepEqual(signals().at(-1), [2, 3]);
  await deployments.stop(id, by);
  await signal();
  assert.deepEqual(signals(), [
    [1, 2],
    [2, 3],
    [3, 0],
  ]);
  assert.ok(notices.every(({ type, url }) => type === "deployment.scale" && url === "https://scaler.example/hook"));
});

test("a round of the signal that finds nothing new asks twice, however many deployments there are", async () => {
  let asked = 0;
  const counting: Database = {
    ...database,
    query(statement) {
      asked += 1;
      return database.query(statement);
    },
  };
  const ids: DeploymentId[] = [];
  for (let count = 0; count < 5; count++) ids.push((await deployments.create(input(), by)).id);
  const own = build(counting);
  await own.signal();
  asked = 0;
  await own.signal();
  assert.equal(asked, 2);
  const [first, second] = ids;
  await queue(poolOf(first ?? assert.fail()), 1);
  await queue(poolOf(second ?? assert.fail()), 5);
  await own.signal();
  const wanted = await Promise.all(ids.map(async (id) => (await deployments.get(id)).workersWanted));
  assert.deepEqual(wanted, [1, 3, 0, 0, 0]);
  for (const id of ids) await deployments.stop(id, by);
});

test("a submission to a deployment at zero asks for a worker at once, and is forgotten when nobody asks for long", async () => {
  const { id } = await deployments.create(input(), by);
  workers = [];
  await assert.rejects(deployments.requireOpen(id), { code: "deployment_not_ready" });
  assert.equal((await deployments.get(id)).workersWanted, 1);
  workers = [aWorker];
  await deployments.requireOpen(id);
  await clock.advance((idleSeconds + 20) * 1000);
  await deployments.signal();
  assert.equal((await deployments.get(id)).workersWanted, 0);
  workers = [{ ...aWorker, environment: { ...aWorker.environment, engine: "application" } }];
  await clock.advance(2_000);
  await assert.rejects(deployments.requireOpen(id), { code: "deployment_not_ready" });
  await deployments.stop(id, by);
  workers = [aWorker];
  await assert.rejects(deployments.requireOpen(id), { code: "deployment_stopped" });
  await assert.rejects(build().requireOpen(newId<"deployment">()), { code: "not_found" });
});

test("another process hears of a stop within two seconds", async () => {
  workers = [aWorker];
  const { id } = await deployments.create(input(), by);
  const other = build();
  await other.requireOpen(id);
  await deployments.stop(id, by);
  await clock.advance(2_000);
  await assert.rejects(other.requireOpen(id), { code: "deployment_stopped" });
});

test("a pool that is no deployment's takes every worker; a deployment's only those that match", async () => {
  const { id } = await deployments.create(input(), by);
  const foreign = { environment: { engine: "application", version: "1", classes: {} } } as const;
  assert.deepEqual(await deployments.problemsOf(newId<"pool">(), foreign), []);
  assert.equal((await deployments.problemsOf(poolOf(id), foreign)).length, 1);
  assert.deepEqual(await deployments.problemsOf(poolOf(id), aWorker), []);
});

test("deleting cancels what has not ended, of every workspace, and touches no other pool", async () => {
  const { id } = await deployments.create(input(), by);
  const { id: other } = await deployments.create(input(), by);
  await queue(poolOf(id), 130);
  await queue(poolOf(id), 3, newId<"workspace">());
  await queue(poolOf(other), 2);
  await assert.rejects(deployments.remove(id, by), { code: "conflict" });
  await deployments.stop(id, by);
  canceled.length = 0;
  await deployments.remove(id, by);
  assert.equal(canceled.length, 133);
  assert.equal((await deployments.status(await deployments.get(other))).unfinishedJobs, 2);
  assert.equal(await deployments.find(id), null);
  await assert.rejects(deployments.remove(id, by), { code: "not_found" });
});
