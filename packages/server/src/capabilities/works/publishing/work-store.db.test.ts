// What callers find: their own works, shared ones and public ones, by id and in the catalog.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { PublishedWork, WorkId } from "./published-work.ts";
import { findWork, listOfferedWorks, listWorks } from "./work-list-store.ts";
import { findCallable, lastPublished, listCallable } from "./work-read-store.ts";
import {
  insertWork,
  insertWorkVersion,
  replaceShares,
  replaceWork,
  reserveProvider,
  type WorkFields,
} from "./work-write-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const at = new Date("2026-05-01T00:00:00Z");
const fields: WorkFields = {
  title: "Lighthouse",
  description: null,
  visibility: "private",
  version: 1,
  versions: 1,
  cover: null,
  deprecatedAt: null,
  sunsetAt: null,
};
const needs = { node_classes: [], models: [], files: [], works: [] };

async function publish(
  workspaceId: WorkspaceId,
  provider: string,
  name: string,
  more: Partial<WorkFields> = {},
): Promise<{ id: WorkId; workspaceId: WorkspaceId; modelId: string; workflowId: string }> {
  const work = { id: newId<"work">(), workspaceId, modelId: `${provider}/${name}`, name };
  const workflowId = newId();
  await database.transaction(async (tx) => {
    assert.equal(await reserveProvider(tx, { workspaceId, provider, at }), provider);
    await insertWork(tx, { ...work, ...fields, ...more, at });
    for (let version = 1; version <= (more.versions ?? 1); version++)
      await insertWorkVersion(tx, {
        ...{ workId: work.id, workspaceId, version, workflowId, workflowVersion: version, needs, examples: "[]" },
        ...{
          graph: Buffer.from(`{"v":${version}}`),
          form: `{"f":${version}}`,
          fingerprint: Buffer.alloc(32),
          note: null,
        },
        ...{ createdByKind: "person", createdById: newId(), at: new Date(at.getTime() + version) },
      });
  });
  return { ...work, workflowId };
}

const find = (workspaceId: WorkspaceId, modelId: string, now = at) =>
  findCallable(database, { workspaceId, modelId, at: now });
const listed = async (workspaceId: WorkspaceId, after: string | null = null, limit = 10) =>
  (await listCallable(database, { workspaceId, after, limit, at })).map(({ modelId }) => modelId);

describe("a callable work", () => {
  test("is found by its owner, by those it is shared with and, if public, by everybody", async () => {
    const [owner, friend, stranger] = [newId<"workspace">(), newId<"workspace">(), newId<"workspace">()];
    const work = await publish(owner, "w.find", "one", { visibility: "shared" });
    await replaceShares(database, work.modelId, [friend]);
    const found = await find(friend, "w.find/one");
    assert.deepEqual([found?.workId, found?.ownerId, found?.version, found?.title], [work.id, owner, 1, "Lighthouse"]);
    assert.notEqual(await find(owner, "w.find/one"), null);
    assert.equal(await find(stranger, "w.find/one"), null);
    await replaceWork(database, work, { ...fields, visibility: "public", at });
    assert.notEqual(await find(stranger, "w.find/one"), null);
  });

  test("is its current version without a number, and any version with one", async () => {
    const owner = newId<"workspace">();
    await publish(owner, "w.versions", "one", { version: 2, versions: 3 });
    const graphs = ["w.versions/one", "w.versions/one.v1", "w.versions/one.v3"].map((id) => find(owner, id));
    assert.deepEqual(
      (await Promise.all(graphs)).map((work) => [work?.modelId, work?.version, work?.graph.toString(), work?.form]),
      [
        ["w.versions/one", 2, '{"v":2}', '{"f":2}'],
        ["w.versions/one", 1, '{"v":1}', '{"f":1}'],
        ["w.versions/one", 3, '{"v":3}', '{"f":3}'],
      ],
    );
    for (const id of ["w.versions/one.v4", "w.versions/one.v0", "w.versions/one.v03", "w.versions/two", "x.y/one"])
      assert.equal(await find(owner, id), null, id);
  });

  test("is gone from its sunset on", async () => {
    const owner = newId<"workspace">();
    const sunsetAt = new Date(at.getTime() + 1_000);
    await publish(owner, "w.sunset", "one", { deprecatedAt: at, sunsetAt });
    assert.deepEqual((await find(owner, "w.sunset/one"))?.sunsetAt, sunsetAt);
    assert.equal(await find(owner, "w.sunset/one", sunsetAt), null);
    assert.deepEqual(await listCallable(database, { workspaceId: owner, after: null, limit: 5, at: sunsetAt }), [
      ...(await listCallable(database, { workspaceId: newId(), after: null, limit: 5, at: sunsetAt })),
    ]);
  });
});

test("the catalog has own, shared and public works once each, in the order of their bytes, page by page", async () => {
  const [me, other] = [newId<"workspace">(), newId<"workspace">()];
  for (const name of ["b", "a-1", "a.1"]) await publish(me, "w.list", name, { visibility: "public" });
  const shared = await publish(other, "w.lisa", "s", { visibility: "shared" });
  await publish(other, "w.lisa", "hidden");
  await publish(other, "w.lisa", "open", { visibility: "public" });
  await replaceShares(database, shared.modelId, [me, other]);
  const all = (await listed(me)).filter((id) => id.startsWith("w.lis"));
  assert.deepEqual(all, ["w.lisa/open", "w.lisa/s", "w.list/a-1", "w.list/a.1", "w.list/b"]);
  assert.deepEqual(await listed(me, "w.lisa/open", 2), ["w.lisa/s", "w.list/a-1"]);
});

test("a provider belongs to one workspace, and a workspace has one provider", async () => {
  const [me, other] = [newId<"workspace">(), newId<"workspace">()];
  assert.equal(await reserveProvider(database, { workspaceId: me, provider: "w.mine", at }), "w.mine");
  assert.equal(await reserveProvider(database, { workspaceId: other, provider: "w.mine", at }), null);
  assert.equal(await reserveProvider(database, { workspaceId: me, provider: "w.second", at }), "w.mine");
});

test("the form of a saved workflow is that of the version published last, in its own workspace", async () => {
  const owner = newId<"workspace">();
  const { workflowId } = await publish(owner, "w.form", "one", { versions: 2 });
  assert.equal((await lastPublished(database, owner, workflowId))?.form, '{"f":2}');
  assert.equal(await lastPublished(database, newId(), workflowId), null);
});

test("works for every workspace are offered with their version and end, others and ended ones are not", async () => {
  const owner = newId<"workspace">();
  const sunsetAt = new Date(at.getTime() + 1_000);
  await publish(owner, "w.offered", "open", { visibility: "public", version: 2, versions: 2 });
  await publish(owner, "w.offered", "leaving", { visibility: "public", deprecatedAt: at, sunsetAt });
  await publish(owner, "w.offered", "own");
  const offered = async (now: Date) =>
    (await listOfferedWorks(database, now, 100)).filter(({ modelId }) => modelId.startsWith("w.offered/"));
  assert.deepEqual(await offered(at), [
    { modelId: "w.offered/leaving", version: 1, deprecatedAt: at, sunsetAt },
    { modelId: "w.offered/open", version: 2, deprecatedAt: null, sunsetAt: null },
  ]);
  assert.deepEqual(
    (await offered(sunsetAt)).map(({ modelId }) => modelId),
    ["w.offered/open"],
  );
});

test("a workspace lists its own works by name, and finds them by a part of the name or title", async () => {
  const owner = newId<"workspace">();
  for (const [name, title] of [
    ["lighthouse", null],
    ["barn", "Red Lightning"],
    ["cow", "Moo"],
  ] as const)
    await publish(owner, "w.own", name, { title });
  const names = (works: readonly PublishedWork[]) => works.map(({ name }) => name);
  const page = { workspaceId: owner, text: null, after: null, count: 10 };
  assert.deepEqual(names(await listWorks(database, page)), ["barn", "cow", "lighthouse"]);
  assert.deepEqual(names(await listWorks(database, { ...page, text: "LIGHT" })), ["barn", "lighthouse"]);
  assert.deepEqual(names(await listWorks(database, { ...page, after: "barn", count: 1 })), ["cow"]);
  assert.equal((await findWork(database, { workspaceId: owner, name: "cow" }))?.title, "Moo");
  assert.equal(await findWork(database, { workspaceId: newId(), name: "cow" }), null);
});

test("the catalog of works is searched by id and title, in any case, and only among what the workspace may call", async () => {
  const [owner, stranger] = [newId<"workspace">(), newId<"workspace">()];
  await publish(owner, "w.search", "red-fox", { title: "Portrait of a FOX" });
  await publish(owner, "w.search", "owl", { title: "Night bird" });
  await publish(owner, "w.search", "untitled-fox", { title: null, visibility: "public" });
  const search = async (workspaceId: WorkspaceId, text: string | null, after: string | null = null, limit = 10) =>
    (await listCallable(database, { workspaceId, text, after, limit, at }))
      .map(({ modelId }) => modelId)
      .filter((id) => id.startsWith("w.search/"));
  assert.deepEqual(await search(owner, "fox"), ["w.search/red-fox", "w.search/untitled-fox"]);
  assert.deepEqual(await search(owner, "Night"), ["w.search/owl"]);
  assert.deepEqual(await search(owner, "100%_"), [], "no character is a pattern");
  assert.deepEqual(await search(owner, "fox", "w.search/red-fox", 1), ["w.search/untitled-fox"]);
  assert.deepEqual(await search(stranger, "fox"), ["w.search/untitled-fox"]);
});
