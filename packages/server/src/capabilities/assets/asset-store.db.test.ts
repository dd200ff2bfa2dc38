// The statements themselves, on every PostgreSQL version we support: one record per path, exact usage, uploads by lease.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { errorCode, sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Asset } from "./asset.ts";
import { changeTags, deleteExpired, findAssets, findByHash, listAssetsBy, putAsset } from "./asset-store.ts";
import { type AssetsFixture, anAssetsFixture } from "./assets.fixture.ts";
import { advanceUpload, claimWriter, endWriter, insertUpload, setUploadLength } from "./uploads/upload-store.ts";
import { changeUsage, findUsages } from "./usage-store.ts";

const now = new Date("2026-01-01T00:00:00.000Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

function anAsset(workspaceId: WorkspaceId, changed: Partial<Asset> = {}): Asset {
  return {
    id: newId<"asset">(),
    workspaceId,
    hash: "ab".repeat(32),
    size: 5,
    contentType: "text/plain",
    servedType: "text/plain; charset=utf-8",
    kind: "text",
    filePath: "a.txt",
    tags: [],
    jobId: null,
    createdAt: now,
    expiresAt: null,
    ...changed,
  };
}

describe("the store of assets", { timeout: 900_000 }, () => {
  let fixture: AssetsFixture;
  before(async () => {
    fixture = await anAssetsFixture();
  });
  after(() => fixture.close());

  test("has one record per workspace, job, bytes and name, and no name is a name too", async () => {
    const workspaceId = await fixture.aWorkspace();
    for (const changed of [{}, { filePath: null }, { jobId: newId<"job">() }]) {
      const first = await putAsset(fixture.db, anAsset(workspaceId, changed));
      const again = await putAsset(fixture.db, anAsset(workspaceId, changed));
      assert.deepEqual([first.isNewRecord, again.isNewRecord], [true, false]);
      assert.equal(again.asset.id, first.asset.id);
    }
    const other = await putAsset(fixture.db, anAsset(await fixture.aWorkspace()));
    assert.deepEqual([other.isNewRecord, other.isNewContent], [true, true]);
  });

  test("adds the tags of a repeat, each once, and no more than fit", async () => {
    const workspaceId = await fixture.aWorkspace();
    const many = Array.from({ length: 60 }, (_, at) => `t${String(at).padStart(2, "0")}`);
    await putAsset(fixture.db, anAsset(workspaceId, { tags: many }));
    const { asset } = await putAsset(
      fixture.db,
      anAsset(workspaceId, { tags: ["a", "t00", "z1", "z2", "z3", "z4", "z5"] }),
    );
    assert.equal(asset.tags.length, 64);
    assert.equal(new Set(asset.tags).size, 64);
  });

  test("narrows a list by source, a part of the name as it is, bytes and time, and changes tags of its workspace only", async () => {
    const workspaceId = await fixture.aWorkspace();
    const put = async (changed: Partial<Asset>) => (await putAsset(fixture.db, anAsset(workspaceId, changed))).asset;
    const upload = await put({ filePath: "Fox_100%.png", createdAt: later(1) });
    const output = await put({
      filePath: "out.png",
      hash: "cd".repeat(32),
      jobId: newId<"job">(),
      createdAt: later(2),
      expiresAt: later(3),
    });
    const any = { source: null, name: null, hash: null, createdFrom: null, createdBefore: null, expiresBefore: null };
    const list = async (narrowed: Partial<Parameters<typeof listAssetsBy>[1]>) => {
      const filter = { workspaceId, tag: null, kind: null, jobId: null, after: null, count: 9, now, ...any };
      return (await listAssetsBy(fixture.db, { ...filter, ...narrowed })).map(({ id }) => id);
    };
    assert.deepEqual(await list({ source: "upload" }), [upload.id]);
    assert.deepEqual(await list({ source: "output" }), [output.id]);
    assert.deepEqual(await list({ name: "fox_100%" }), [upload.id]);
    assert.deepEqual(await list({ name: "f%x" }), []);
    assert.deepEqual(await list({ hash: "cd".repeat(32) }), [output.id]);
    assert.deepEqual(await list({ hash: "" }), []);
    assert.deepEqual(await list({ createdFrom: later(2) }), [output.id]);
    assert.deepEqual(await list({ createdBefore: later(2) }), [upload.id]);
    assert.deepEqual(await list({ expiresBefore: later(4) }), [output.id]);
    assert.deepEqual(await list({ expiresBefore: later(3) }), []);
    const change = { workspaceId, assetId: output.id, add: ["starred", "b"], remove: ["b"], now };
    assert.deepEqual((await changeTags(fixture.db, change))?.tags, ["starred"]);
    assert.deepEqual(await list({ tag: "starred" }), [output.id]);
    assert.equal(await changeTags(fixture.db, { ...change, workspaceId: await fixture.aWorkspace() }), null);
  });

  test("walks newest first with equal times in between, and finds the newest by hash", async () => {
    const workspaceId = await fixture.aWorkspace();
    const made: Asset[] = [];
    for (let at = 0; at < 6; at++) {
      made.push(
        (await putAsset(fixture.db, anAsset(workspaceId, { filePath: `${at}`, createdAt: later(Math.floor(at / 3)) })))
          .asset,
      );
    }
    const wanted = made.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
    const any = { source: null, name: null, hash: null, createdFrom: null, createdBefore: null, expiresBefore: null };
    const filter = { workspaceId, tag: null, kind: null, jobId: null, ...any, count: 2, now };
    const seen: Asset[] = [];
    let after: Asset | null = null;
    for (;;) {
      const page: Asset[] = await listAssetsBy(fixture.db, { ...filter, after });
      seen.push(...page);
      after = page.at(-1) ?? null;
      if (after === null) break;
    }
    assert.deepEqual(
      seen.map(({ id }) => id),
      wanted.map(({ id }) => id),
    );
    assert.equal((await findByHash(fixture.db, { workspaceId, hash: "ab".repeat(32), now }))?.id, wanted[0]?.id);
  });

  test("finds by ids and by names of uploads, the newest of equal names, nothing of others and nothing that expired", async () => {
    const [workspaceId, other] = [await fixture.aWorkspace(), await fixture.aWorkspace()];
    const put = async (at: number, changed: Partial<Asset>, owner = workspaceId) => {
      const hash = String(at).padStart(64, "0");
      return (await putAsset(fixture.db, anAsset(owner, { hash, createdAt: later(at), ...changed }))).asset.id;
    };
    const byId = await put(1, { filePath: null });
    await put(2, { filePath: "photo.png" });
    const newest = await put(3, { filePath: "photo.png" });
    await put(4, { filePath: "photo.png", jobId: newId<"job">() });
    await put(5, { filePath: "old.png", expiresAt: later(6) });
    const theirs = await put(7, { filePath: "photo.png" }, other);
    const found = await findAssets(fixture.db, {
      workspaceId,
      assetIds: [byId, theirs, newId<"asset">()],
      filePaths: ["photo.png", "old.png", "none.png"],
      now: later(10),
    });
    assert.deepEqual(found.map(({ id }) => id).sort(), [byId, newest].sort());
  });

  test("deletes of the expired only as many as asked for, the oldest first", async () => {
    const workspaceId = await fixture.aWorkspace();
    for (let at = 0; at < 3; at++)
      await putAsset(fixture.db, anAsset(workspaceId, { filePath: `${at}`, expiresAt: later(at) }));
    const gone = await deleteExpired(fixture.db, { now: later(1), count: 1 });
    assert.deepEqual(
      gone.map(({ filePath }) => filePath),
      ["0"],
    );
    assert.equal((await deleteExpired(fixture.db, { now: later(1), count: 10 })).length, 1);
  });

  test("counts usage exactly under many at once, and never below nothing", async () => {
    const workspaceId = await fixture.aWorkspace();
    await Promise.all(Array.from({ length: 40 }, () => changeUsage(fixture.db, workspaceId, { bytes: 3, assets: 1 })));
    assert.deepEqual(await findUsages(fixture.db, [workspaceId]), [{ bytes: 120, assets: 40 }]);
    await assert.rejects(
      changeUsage(fixture.db, workspaceId, { bytes: -121 }),
      (thrown) => errorCode(thrown) === "23514",
    );
  });

  test("gives an upload to one writer until its lease ends, and takes progress from nobody else", async () => {
    const workspaceId = await fixture.aWorkspace();
    const id = newId<"upload">();
    const upload = { id, workspaceId, length: null, received: 0, expectedHash: null, metadata: "", assetId: null };
    const said = {
      contentType: "a/b",
      filePath: null,
      tags: [],
      keepSeconds: null,
      createdAt: now,
      expiresAt: later(100),
      concat: null,
      finalId: null,
    };
    await insertUpload(fixture.db, { ...upload, ...said });
    const [one, two] = [newId(), newId()];
    const claim = (writer: string, at: Date) =>
      claimWriter(fixture.db, { uploadId: id, writer, now: at, leaseSeconds: 30, offset: 0 });
    const advance = (writer: string, received: number) =>
      advanceUpload(fixture.db, { uploadId: id, writer, now, leaseSeconds: 30, received });
    assert.deepEqual([await claim(one, now), await claim(two, later(29))], [{ length: null }, null]);
    assert.deepEqual([await advance(one, 4), await advance(two, 9), await advance(one, 3)], [true, false, false]);
    await endWriter(fixture.db, { uploadId: id, writer: two });
    assert.equal(await claim(two, later(1)), null, "another's offset, another's lease");
    const [row] = await fixture.db.query<{ received: string }>(
      sql`select received from asset_uploads where id = ${id}`,
    );
    assert.equal(row?.received, "4");
    for (const length of [10, 12]) await setUploadLength(fixture.db, { id, workspaceId, length });
    const again = { uploadId: id, writer: two, now: later(60), leaseSeconds: 30, offset: 4 };
    assert.deepEqual(
      await claimWriter(fixture.db, again),
      { length: 10 },
      "the next writer is told the length, said once",
    );
  });
});
