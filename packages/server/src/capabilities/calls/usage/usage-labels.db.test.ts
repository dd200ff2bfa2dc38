// Usage by tag and by end user, compared with the journal: calls of every kind on the real ledger, through all statements that
// begin and end them. `npm run test:long -- tags` makes 100,000 of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { CallEnding, CallId, CallOpening, OwnerId } from "../call/call-opening.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import { createLedgerRounds } from "../rounds/ledger-rounds.ts";
import { type SeriesQuery, sumSeries } from "./usage-figures-store.ts";
import type { UsageFilter } from "./usage-row.ts";

const callCount = process.env["ATELIER_TEST_LONG"] === undefined ? 1_500 : 100_000;
const ownerId: OwnerId = newId<"call-owner">();
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.execute(
    sql`insert into call_owners (id, heartbeat_at) values (${ownerId}, now() + interval '1 hour')`,
  );
});
after(() => database.close());

// A small generator with a fixed start, so that a failure comes back.
function drawing(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const projects = ["spring", "autumn", "(none) or so", "wi=nter", "ö", "a", "b", "c", "d", "e"];

function drawLabels(draw: (below: number) => number, n: number): Labels | undefined {
  if (draw(4) === 0) return undefined;
  // Every call has a tag that no other has: a million different tags are a million calls.
  const tags = { ...(draw(3) > 0 ? { project: projects[draw(projects.length)] ?? "" } : {}), run: `run-${n}` };
  return { tags: draw(5) === 0 ? null : tags, endUser: draw(2) === 0 ? null : `user-${draw(12)}` };
}

const endingOf = (call: CallOpening, kind: number): CallEnding => ({
  call: { id: call.id, workspaceId: call.workspaceId, fence: 1 },
  state: kind === 0 ? "unknown" : "finished",
  outcome: "succeeded",
  charge: kind <= 1 ? 0n : call.hold - BigInt(kind),
  answer: kind === 1 ? null : { status: 200, headers: {}, body: Buffer.from("1") },
  usage: { requestId: null, apiKeyId: null, subject: call.subject, status: 200, totalMs: 1, providerMs: 1 },
});

async function makeCalls(workspaceId: WorkspaceId): Promise<Map<CallId, Labels | undefined>> {
  const draw = drawing(7);
  const rounds = createLedgerRounds({ database, ownerId });
  const made = new Map<CallId, Labels | undefined>();
  let open: CallOpening[] = [];
  for (let n = 0; n < callCount; ) {
    // Batches of one, of a few and of many, which end while the next begin.
    const size = Math.min(callCount - n, [1, 3, 40][draw(3)] ?? 1);
    const calls = [...Array(size)].map((): CallOpening => {
      const labels = drawLabels(draw, n++);
      const id = newId<"call">();
      made.set(id, labels);
      const key = draw(2) === 0 ? `key-${n}` : null;
      const changes = { idempotencyKey: key, hold: BigInt(10 + draw(90)), ...(labels ? { labels } : {}) };
      return { ...opening(workspaceId, changes), id };
    });
    const ends = open.map((call) => rounds.finish(endingOf(call, draw(9))));
    const begun = await Promise.all(calls.map((call) => rounds.begin(call)));
    assert.ok(begun.every(({ kind }) => kind === "begun"));
    assert.ok((await Promise.all(ends)).every(Boolean));
    open = calls;
  }
  await Promise.all(open.map((call) => rounds.finish(endingOf(call, draw(9)))));
  await rounds.close();
  return made;
}

// What the journal says was charged, for each value of a label.
async function chargedBy(
  workspaceId: WorkspaceId,
  made: ReadonlyMap<CallId, Labels | undefined>,
  labelOf: (labels: Labels | undefined) => string,
): Promise<Map<string, bigint>> {
  const lines = await database.query<{ id: CallId; amount: string }>(sql`
    select transaction_id as id, amount from journal where workspace_id = ${workspaceId} and kind = 'settle'`);
  const sums = new Map<string, bigint>();
  for (const labels of made.values()) if (!sums.has(labelOf(labels))) sums.set(labelOf(labels), 0n);
  for (const { id, amount } of lines) {
    const label = labelOf(made.get(id));
    sums.set(label, (sums.get(label) ?? 0n) + BigInt(amount));
  }
  return sums;
}

test("sums by tag and by end user are the journal to the micro-credit, however many tags there are", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(10n ** 12n);
  const made = await makeCalls(workspaceId);
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const series = (asked: Pick<SeriesQuery, "by" | "tagKey">, filter: UsageFilter = {}) =>
    sumSeries(database, {
      ...{ workspaceId, step: "hour", withTimes: false, groupsMax: 100, filter: { ...span, ...filter } },
      ...asked,
    });
  const byKey = (groups: readonly { key: string | null; credits: bigint }[]) =>
    new Map(groups.map(({ key, credits }) => [key, credits]));

  const projectOf = (labels: Labels | undefined) => labels?.tags?.["project"] ?? "(none)";
  const byProject = await chargedBy(workspaceId, made, projectOf);
  const projectSeries = await series({ by: "tag", tagKey: "project" });
  assert.deepEqual(byKey(projectSeries.groups), byProject);
  const byPerson = await chargedBy(workspaceId, made, (labels) => labels?.endUser ?? "(none)");
  assert.deepEqual(byKey((await series({ by: "end_user" })).groups), byPerson);
  const whole = [...byProject.values()].reduce((sum, credits) => sum + credits, 0n);
  assert.equal(projectSeries.total.credits, whole);
  assert.equal(projectSeries.total.calls, callCount);

  for (const project of projects) {
    const { total } = await series({ by: "none" }, { tag: { key: "project", value: project } });
    assert.equal(total.credits, byProject.get(project), project);
  }
  const { total } = await series({ by: "none" }, { endUser: "user-3" });
  assert.equal(total.credits, byPerson.get("user-3"));

  const everyRun = await sumSeries(database, {
    ...{ workspaceId, step: "hour", withTimes: false, by: "tag", tagKey: "run", groupsMax: 8, filter: span },
  });
  assert.equal(everyRun.groups.length, 9, "eight groups, and one for all others");
  assert.equal(everyRun.points.length, everyRun.groups.length);
  assert.equal(everyRun.total.credits, whole);
});
