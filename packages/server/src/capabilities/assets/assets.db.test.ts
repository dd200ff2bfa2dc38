// The capability with a real database and real files: retention, sweeping, job outputs, and several processes at once.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import type { StoredAsset } from "./asset.ts";
import { type AssetsFixture, anAssetsFixture, assetInput, bytesOf, receive } from "./assets.fixture.ts";

const isFault = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

describe("assets", { timeout: 900_000 }, () => {
  let fixture: AssetsFixture;
  before(async () => {
    fixture = await anAssetsFixture();
  });
  after(() => fixture.close());

  test("a repeat lengthens the life of a record and never shortens it", async () => {
    const assets = fixture.aProcess();
    const { workspaceId } = fixture;
    const first = await receive(assets, workspaceId, "life", { keepSeconds: 1000 });
    const shorter = await receive(assets, workspaceId, "life", { keepSeconds: 60 });
    assert.deepEqual(shorter.asset.expiresAt, first.asset.expiresAt);
    const longer = await receive(assets, workspaceId, "life", { keepSeconds: 2000 });
    assert.ok((longer.asset.expiresAt?.getTime() ?? 0) > (first.asset.expiresAt?.getTime() ?? 0));
    const always = await receive(assets, workspaceId, "life");
    assert.equal(always.asset.expiresAt, null);
    assert.equal((await receive(assets, workspaceId, "life", { keepSeconds: 60 })).asset.expiresAt, null);
  });

  test("a record that expired and comes again before the sweep is new again", async () => {
    const assets = fixture.aProcess();
    const { workspaceId } = fixture;
    await receive(assets, workspaceId, "back", { keepSeconds: 60 });
    await fixture.clock.advance(60_000);
    const again = await receive(assets, workspaceId, "back", { keepSeconds: 60 });
    assert.equal(again.isNewContent, true);
    assert.deepEqual(again.asset.createdAt, fixture.clock.now());
    assert.ok(await assets.get({ workspaceId, assetId: again.asset.id }));
  });

  test("what a holder keeps does not expire, and expires when it would have once every holder has let go", async () => {
    const assets = fixture.aProcess();
    const workspaceId = await fixture.aWorkspace();
    const { asset } = await receive(assets, workspaceId, "kept", { keepSeconds: 600 });
    const forever = (await receive(assets, workspaceId, "forever")).asset;
    const [one, other] = [newId(), newId()].map((id) => ({ kind: "work", id }));
    assert.ok(one && other);
    const assetIds = [asset.id, forever.id];
    assert.deepEqual((await assets.keep(fixture.db, { workspaceId, assetIds, holder: one })).sort(), assetIds.sort());
    await assets.keep(fixture.db, { workspaceId, assetIds: [asset.id], holder: other });
    assert.deepEqual(await assets.keep(fixture.db, { workspaceId: newId(), assetIds, holder: one }), []);
    await fixture.clock.advance(1_000_000);
    await assets.sweep();
    assert.equal((await assets.get({ workspaceId, assetId: asset.id })).expiresAt, null);
    await assets.letGo(fixture.db, { workspaceId, holder: other });
    assert.equal(
      (await assets.get({ workspaceId, assetId: asset.id })).expiresAt,
      null,
      "the first one still keeps it",
    );
    await assets.letGo(fixture.db, { workspaceId, holder: one });
    await assert.rejects(assets.get({ workspaceId, assetId: asset.id }), isFault("not_found"));
    assert.equal((await assets.get({ workspaceId, assetId: forever.id })).expiresAt, null);
  });

  test("sweeping removes expired assets in batches, keeps held ones, frees quota and bytes, and may run twice at once", async () => {
    const assets = fixture.aProcess();
    const workspaceId = await fixture.aWorkspace();
    const stored: StoredAsset[] = [];
    for (let at = 0; at < 120; at++) {
      stored.push(await receive(assets, workspaceId, `sweep ${at}`, { filePath: `s${at}`, keepSeconds: 60 }));
    }
    const [held] = stored.map(({ asset }) => asset.id);
    assert.ok(held);
    const holder = { kind: "job", id: newId() };
    await assets.hold(fixture.db, { workspaceId, assetIds: [held], holder });
    await fixture.clock.advance(61_000);
    await Promise.all([assets.sweep(), fixture.aProcess().sweep()]);
    const left = await fixture.db.query<{ id: string }>(sql`select id from assets where workspace_id = ${workspaceId}`);
    assert.deepEqual(
      left.map(({ id }) => id),
      [held],
    );
    await assets.release(fixture.db, holder);
    await assets.sweep();
    const [used] = await fixture.db.query<{ bytes: string; assets: string }>(sql`
      select bytes, assets from asset_usage where workspace_id = ${workspaceId}`);
    assert.deepEqual(used, { bytes: "0", assets: "0" });
    const references = await fixture.db.query(sql`
      select from blob_references where holder_kind = 'asset' and holder_id = any (${stored.map(({ asset }) => asset.id)})`);
    assert.equal(references.length, 0);
  });

  test("what a job made is a record of that job, beside an upload of the same bytes", async () => {
    const assets = fixture.aProcess();
    const { workspaceId } = fixture;
    const uploaded = await receive(assets, workspaceId, "made by a job", { filePath: "out.png" });
    const jobId = newId<"job">();
    const give = () =>
      assets.receive({
        workspaceId,
        source: bytesOf("made by a job"),
        expectedHash: null,
        jobId,
        describe: () => ({ ...assetInput, filePath: "out.png" }),
      });
    const [made, again] = [await give(), await give()];
    assert.notEqual(made.asset.id, uploaded.asset.id);
    assert.equal(again.asset.id, made.asset.id, "a second attempt of the job gives the same output");
    const page = await assets.list({ workspaceId, tag: null, kind: null, jobId, limit: 10, cursor: null });
    assert.deepEqual(
      page.assets.map(({ id }) => id),
      [made.asset.id],
    );
  });

  test("holding returns the assets that exist, without foreign, expired and missing ones", async () => {
    const assets = fixture.aProcess();
    const { workspaceId } = fixture;
    const own = (await receive(assets, workspaceId, "own", { filePath: "own" })).asset.id;
    const foreign = (await receive(assets, await fixture.aWorkspace(), "foreign")).asset.id;
    const holder = { kind: "job", id: newId() };
    const held = await assets.hold(fixture.db, { workspaceId, assetIds: [own, foreign, newId<"asset">()], holder });
    assert.deepEqual(held, [own]);
  });

  test("once a deletion is answered, no process serves the signed address, however hot it was", async () => {
    const [serving, deleting] = [fixture.aProcess(), fixture.aProcess()];
    const { workspaceId } = fixture;
    for (let round = 0; round < 5; round++) {
      const { asset } = await receive(serving, workspaceId, `told ${round}`, { filePath: `told-${round}` });
      const { pathname: path, search } = new URL(serving.sign(asset).url);
      const ask = async () => (await serving.resolveSigned({ path, queryText: search.slice(1) })).asset.id;
      let isDeleted = false;
      const deletion = deleting.remove({ workspaceId, assetId: asset.id }).then(() => {
        isDeleted = true;
      });
      // Requests before that may still be served, which keeps the record cached until the last moment.
      while (!isDeleted) {
        await ask().catch(() => undefined);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await deletion;
      await assert.rejects(ask, isFault("forbidden"));
    }
  });

  test("every record has live bytes and every reference a record, after everything above", async () => {
    const broken = await fixture.db.query(sql`
      select a.id from assets as a left join blobs as b on b.hash = a.hash and b.state = 'live' and b.size = a.size
        left join blob_references as r on r.hash = a.hash and r.holder_kind = 'asset' and r.holder_id = a.id::text
        where b.hash is null or r.hash is null
      union all
      select null from blob_references as r left join assets as a on a.id::text = r.holder_id
        where r.holder_kind = 'asset' and a.id is null`);
    assert.deepEqual(broken, []);
  });
});

describe("resumable uploads over several processes", { timeout: 900_000 }, () => {
  let fixture: AssetsFixture;
  before(async () => {
    fixture = await anAssetsFixture();
  });
  after(() => fixture.close());
  const announce = (length: number, filePath = "a.txt") => ({
    ...assetInput,
    filePath,
    workspaceId: fixture.workspaceId,
    length,
    metadata: "",
    concat: null,
  });
  const from = (offset: number, source: AsyncIterable<Uint8Array>) => ({
    offset,
    announcedBytes: 0,
    length: null,
    checksum: null,
    source,
  });

  // Gives its first bytes and then nothing until it is released.
  function stalled(first: string, rest: string) {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(first);
      started.resolve();
      await gate.promise;
      yield Buffer.from(rest);
    }
    return { source: source(), started: started.promise, letGo: () => gate.resolve() };
  }

  test("only one process writes; the other may when the lease of the first has run out, and the first then writes nothing", async () => {
    const [one, two] = [fixture.aProcess(), fixture.aProcess()];
    const upload = await one.uploads.create(announce(6));
    const at = { workspaceId: fixture.workspaceId, uploadId: upload.id };
    const slow = stalled("abc", "XXX");
    const writing = one.uploads.append(at, from(0, slow.source)).catch((thrown: unknown) => thrown);
    await slow.started;
    await assert.rejects(two.uploads.append(at, from(0, bytesOf("abcdef"))), isFault("conflict"));
    await fixture.clock.advance(31_000);
    const done = await two.uploads.append(at, from(0, bytesOf("abcdef")));
    assert.equal(done.received, 6);
    slow.letGo();
    assert.ok(isFault("conflict")(await writing), "who lost the lease is told");
    const asset = await two.get({ workspaceId: fixture.workspaceId, assetId: done.assetId });
    const opened = await fixture.blobs.open(asset.hash);
    assert.equal(Buffer.concat((await opened?.stream.toArray()) ?? []).toString(), "abcdef");
  });

  test("asking for the offset in the same process ends a stalled write and keeps its bytes", async () => {
    const assets = fixture.aProcess();
    const upload = await assets.uploads.create(announce(6, "hang.txt"));
    const at = { workspaceId: fixture.workspaceId, uploadId: upload.id };
    const slow = stalled("abc", "XXX");
    const writing = assets.uploads.append(at, from(0, slow.source)).catch((thrown: unknown) => thrown);
    await slow.started;
    assert.equal((await assets.uploads.get(at)).received, 3);
    assert.ok(isFault("conflict")(await writing));
    assert.equal((await assets.uploads.append(at, from(3, bytesOf("def")))).received, 6);
    slow.letGo();
  });

  test("two processes that complete one upload make one asset", async () => {
    const [one, two] = [fixture.aProcess(), fixture.aProcess()];
    const upload = await one.uploads.create(announce(3, "both.txt"));
    const at = { workspaceId: fixture.workspaceId, uploadId: upload.id };
    const done = await one.uploads.append(at, from(0, bytesOf("xyz")));
    const looks = await Promise.all([
      one.uploads.get(at),
      two.uploads.get(at),
      two.uploads.append(at, from(3, bytesOf())),
    ]);
    for (const look of looks) assert.equal(look.assetId, done.assetId);
  });

  test("more bytes than were announced are refused, and the upload is not harmed", async () => {
    const assets = fixture.aProcess();
    const upload = await assets.uploads.create(announce(4, "more.txt"));
    const at = { workspaceId: fixture.workspaceId, uploadId: upload.id };
    await assert.rejects(assets.uploads.append(at, from(0, bytesOf("ab", "cdEFGH"))), isFault("payload_too_large"));
    const whole = await assets.uploads.get(at);
    const asset = await assets.get({ workspaceId: fixture.workspaceId, assetId: whole.assetId });
    assert.equal(asset.size, 4, "what fitted is there, and nothing else");
  });
});
