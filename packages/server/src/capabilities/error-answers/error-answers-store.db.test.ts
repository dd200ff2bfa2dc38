import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { AnsweredError } from "../../foundation/http/answered-error.ts";
import { newId, newRequestId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createErrorAnswers } from "./error-answers.ts";
import { deleteSurplusErrors } from "./error-answers-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const anError = (workspaceId: WorkspaceId): AnsweredError => ({
  requestId: newRequestId(),
  workspaceId,
  apiKeyId: null,
  method: "GET",
  path: "/api/v2/jobs/x",
  status: 404,
  code: "not_found",
  message: "There is no such job.",
  fields: [{ loc: ["body", 0], msg: "bad" }],
});

async function countOf(workspaceId: WorkspaceId): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from error_answers where workspace_id = ${workspaceId}`);
  return row?.count ?? 0;
}

test("an error can be looked up by request id, unchanged, and only by its own workspace", async () => {
  const answers = createErrorAnswers({ database, clock: handClock(), log: silentLog });
  const noted = anError(newId());
  answers.note(noted);
  await answers.close();
  const { at, ...found } = (await answers.find(noted)) ?? assert.fail("it was noted");
  assert.deepEqual(found, noted);
  assert.ok(at instanceof Date);
  assert.equal(await answers.find({ ...noted, workspaceId: newId() }), null);
});

test("a flood leaves a bounded number of rows, the rest is counted, and another workspace has its own allowance", async () => {
  let unkept = 0;
  const clock = handClock();
  const answers = createErrorAnswers({ database, clock, log: silentLog, onUnkept: () => unkept++ });
  const [loud, quiet] = [newId<"workspace">(), newId<"workspace">()];
  for (let sent = 0; sent < 1_000; sent++) answers.note(anError(loud));
  answers.note(anError(quiet));
  assert.equal(unkept, 700);
  await clock.advance(5_000);
  for (let sent = 0; sent < 100; sent++) answers.note(anError(loud));
  await answers.close();
  assert.deepEqual([await countOf(loud), await countOf(quiet), unkept], [305, 1, 795]);
});

test("each workspace keeps its newest errors up to a limit, and none older than 30 days", async () => {
  const answers = createErrorAnswers({ database, clock: handClock(), log: silentLog });
  const workspaceId = newId<"workspace">();
  const noted = Array.from({ length: 12 }, () => anError(workspaceId));
  for (const one of noted) answers.note(one);
  await answers.close();
  await deleteSurplusErrors(database, 10);
  const kept = await Promise.all(noted.map(async (one) => (await answers.find(one)) !== null));
  assert.deepEqual(kept, [false, false, ...Array.from({ length: 10 }, () => true)]);
  await database.execute(sql`
    update error_answers set at = now() - interval '31 days'
    where workspace_id = ${workspaceId} and request_id = ${noted[5]?.requestId}`);
  await answers.forget();
  assert.equal(await countOf(workspaceId), 9);
});
