// The limits of saved workflows, which over HTTP would take a hundred thousand saves.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { readWhole } from "../../foundation/json/read-json.ts";
import { engineGraphs } from "../graphs/index.ts";
import { createSavedWorkflows, type SavedWorkflows } from "./saved-workflows.ts";

let database: TestDatabase;
let saved: SavedWorkflows;
before(async () => {
  database = await testDatabase();
  saved = createSavedWorkflows({
    database,
    clock: handClock(),
    json: { read: async (bytes, options) => readWhole(bytes, options) },
    graphs: engineGraphs({ priceOf: () => null, served: () => [] }, "0.30"),
    runs: { document: async () => null },
    workflowsMax: 2,
    versionsMax: 3,
  });
});
after(() => database.close());

const by = { kind: "person" as const, id: newId() };
const source = (seed: number) => ({
  bytes: Buffer.from(JSON.stringify({ "1": { class_type: "EmptyImage", inputs: { seed } } })),
});
const save = (workspaceId: WorkspaceId, name: string) =>
  saved.save({ workspaceId, name, folder: "", tags: [], note: null, source: source(0) }, by);
const isOverQuota = (error: unknown) => error instanceof Fault && error.code === "quota_exceeded";

test("a workspace that has as many workflows as it can keep gets quota_exceeded, another one does not", async () => {
  const workspaceId = newId<"workspace">();
  await save(workspaceId, "one");
  await save(workspaceId, "two");
  await assert.rejects(save(workspaceId, "three"), isOverQuota);
  assert.equal((await save(newId<"workspace">(), "three")).version, 1);
});

test("a workflow that has as many versions as it can have gets quota_exceeded, and keeps them all", async () => {
  const workspaceId = newId<"workspace">();
  const { id } = await save(workspaceId, "long history");
  const next = (seed: number) =>
    saved.saveVersion({ workspaceId, id }, { source: source(seed), note: null, expected: { kind: "any" } }, by);
  await next(1);
  await next(2);
  await assert.rejects(next(3), isOverQuota);
  const { versions } = await saved.versions({ workspaceId, id }, { before: null, limit: 10 });
  assert.deepEqual(
    versions.map(({ version }) => version),
    [3, 2, 1],
  );
  assert.equal((await next(2)).isNew, false, "the same bytes need no room");
});
