// The tus extensions, over real HTTP: a length that comes later, checksums of requests, and uploads assembled from others. None
// of them bypasses the quota or the size limit of one asset, or reaches into another workspace.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { sql } from "../foundation/database/index.ts";
import { newId } from "../foundation/ids.ts";
import { aClient, aHouse, type Client, type House, type TestAnswer, textOf } from "./surfaces.fixture.ts";

type Headers = Record<string, string>;

const version = { "tus-resumable": "1.0.0" };
const named = (name: string, more: Headers = {}) => ({
  "upload-metadata": Object.entries({ filename: name, ...more })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(","),
});
const deferred = { "upload-defer-length": "1" };
const partial = (length: number) => ({ "upload-concat": "partial", "upload-length": String(length) });
const final = (...parts: string[]) => ({ "upload-concat": `final;${parts.join(" ")}` });
const sumOf = (bytes: Buffer | string, algorithm = "sha1") => ({
  "upload-checksum": `${algorithm} ${createHash(algorithm).update(bytes).digest("base64")}`,
});

let house: House;
let client: Client;
let stranger: Client;
before(async () => {
  house = await aHouse();
  client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
  stranger = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.stranger.key });
});
after(async () => {
  await client.close();
  await stranger.close();
  await house.close();
});

const announce = (headers: Headers, by = client) =>
  by.ask("/api/v2/uploads", { method: "POST", headers: { ...version, ...headers } });
async function begun(headers: Headers, by = client): Promise<string> {
  const made = await announce(headers, by);
  assert.equal(made.status, 201, made.text);
  return textOf(made.headers["location"]);
}
const append = (target: string, offset: number, body: Buffer | string, headers: Headers = {}, by = client) => {
  const type = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
  return by.ask(target, { method: "PATCH", headers: { ...version, ...type, ...headers }, body });
};
const head = (target: string, by = client) => by.ask(target, { method: "HEAD", headers: version });
const offsetOf = async (target: string) => (await head(target)).headers["upload-offset"];
const bytesOf = async (done: TestAnswer): Promise<Buffer> => {
  const asset = (await client.ask(textOf(done.headers["location"]))).json();
  return (await client.ask(textOf(asset["url"]), {}, {})).bytes;
};
async function partOf(bytes: Buffer | string, by = client): Promise<string> {
  const target = await begun(partial(bytes.length), by);
  assert.equal((await append(target, 0, bytes, {}, by)).status, 204);
  return target;
}
const reserved = async () => {
  const [row] = await house.db.query<{ bytes: string; assets: string }>(sql`
    select reserved_bytes as bytes, reserved_assets as assets from asset_usage where workspace_id = ${house.workspaceId}`);
  return [Number(row?.bytes ?? 0), Number(row?.assets ?? 0)];
};
const giveUp = (target: string) => client.ask(target, { method: "DELETE", headers: version });

// While `work` runs, the workspace has room for this many more bytes, or one asset may have this many.
async function withLimit(name: "bytes" | "asset_bytes", value: number, work: () => Promise<void>): Promise<void> {
  const { workspaceId } = house;
  const [row] = await house.db.query<{ bytes: string }>(sql`
    select bytes from asset_usage where workspace_id = ${workspaceId}`);
  const used = name === "bytes" ? Number(row?.bytes ?? 0) : 0;
  await house.limits.setOverride(house.db, { workspaceId, name, value: used + value });
  await house.limits.drop(workspaceId);
  await work();
  await house.limits.resetOverride(house.db, { workspaceId, name });
  await house.limits.drop(workspaceId);
}

describe("an upload without a length", () => {
  test("is taken piece by piece and is an asset once its length is said, with or after the last of them", async () => {
    const bytes = randomBytes(200_000);
    for (const isSaidWithBytes of [true, false]) {
      const target = await begun({ ...deferred, ...named("later.bin") });
      const first = await append(target, 0, bytes.subarray(0, 90_000));
      assert.deepEqual([first.status, first.headers["upload-defer-length"]], [204, "1"]);
      assert.equal(first.headers["upload-length"], undefined);
      assert.deepEqual(await reserved(), [90_000, 1], "what came is set aside");
      const length = { "upload-length": "200000" };
      const second = await append(target, 90_000, bytes.subarray(90_000), isSaidWithBytes ? length : {});
      const done = isSaidWithBytes ? second : await append(target, 200_000, "", length);
      assert.deepEqual([done.status, done.headers["upload-length"]], [204, "200000"]);
      assert.equal(done.headers["upload-defer-length"], undefined);
      assert.ok((await bytesOf(done)).equals(bytes));
      assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
    }
  });

  test("says it once: another length, or one below what has come, is 400 and changes nothing", async () => {
    const target = await begun({ ...deferred, ...named("once.bin") });
    await append(target, 0, "abcde");
    assert.equal((await append(target, 5, "", { "upload-length": "4" })).status, 400);
    assert.equal((await head(target)).headers["upload-defer-length"], "1");
    assert.equal((await append(target, 5, "", { "upload-length": "9" })).status, 204);
    assert.deepEqual(await reserved(), [9, 1]);
    assert.equal((await append(target, 5, "", { "upload-length": "8" })).status, 400);
    assert.equal((await append(target, 5, "fghij", { "upload-length": "9" })).status, 413);
    assert.equal(String(await bytesOf(await append(target, 5, "fghi", { "upload-length": "9" }))), "abcdefghi");
  });

  test("is announced by 1 alone, and not together with a length", async () => {
    for (const headers of [{ "upload-defer-length": "0" }, { ...deferred, "upload-length": "3" }])
      assert.equal((await announce({ ...headers, ...named("x.bin") })).status, 400);
  });

  test("goes no further than one asset may: what is announced, said or streamed beyond it is 413", async () => {
    await withLimit("asset_bytes", 1_000, async () => {
      const target = await begun({ ...deferred, ...named("cap.bin") });
      assert.equal((await append(target, 0, Buffer.alloc(1_001))).status, 413);
      assert.equal((await append(target, 0, "", { "upload-length": "1001" })).status, 413);
      assert.equal(await streamed(target, 0, [600, 600]), 413);
      assert.ok(Number(await offsetOf(target)) <= 1_000);
      await giveUp(target);
    });
    assert.deepEqual(await reserved(), [0, 0]);
  });

  test("goes no further than the quota: what is announced, said or streamed beyond it is 429", async () => {
    await withLimit("bytes", 1_000, async () => {
      const target = await begun({ ...deferred, ...named("quota.bin") });
      assert.equal((await append(target, 0, Buffer.alloc(700))).status, 204);
      assert.equal((await announce({ ...named("other.bin"), "upload-length": "301" })).status, 429);
      assert.equal((await append(target, 700, Buffer.alloc(301))).status, 429);
      assert.equal((await append(target, 700, "", { "upload-length": "1001" })).status, 429);
      assert.equal(await streamed(target, 700, [200, 200]), 429);
      assert.deepEqual([await offsetOf(target), await reserved()], ["700", [700, 1]]);
      const done = await append(target, 700, Buffer.alloc(300), { "upload-length": "1000" });
      assert.equal((await bytesOf(done)).length, 1_000);
    });
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
  });

  // Chunked, so that the server cannot know how much will come.
  function streamed(target: string, offset: number, sizes: readonly number[]): Promise<number | undefined> {
    const type = { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
    const headers = { ...version, "x-api-key": house.key, ...type };
    const sending = request({ host: "127.0.0.1", port: house.cloudPort, path: target, method: "PATCH", headers });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sending.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
    });
    for (const size of sizes) sending.write(Buffer.alloc(size));
    sending.end();
    return answered;
  }
});

describe("a request with a checksum", () => {
  test("is kept where it holds, in every algorithm; else it is 460 and as if it had not been sent", async () => {
    const bytes = randomBytes(100_000);
    const target = await begun({ "upload-length": "100000", ...named("sum.bin") });
    let offset = 0;
    for (const algorithm of ["sha1", "sha256", "sha512", "md5"]) {
      const piece = bytes.subarray(offset, offset + 25_000);
      const refused = await append(target, offset, piece, sumOf("something else", algorithm));
      assert.equal(refused.status, 460, refused.text);
      assert.match(textOf(refused.headers["content-type"]), /^text\/plain/);
      assert.equal(await offsetOf(target), String(offset));
      const taken = await append(target, offset, piece, sumOf(piece, algorithm));
      assert.equal(taken.status, 204, taken.text);
      offset += 25_000;
    }
    assert.ok((await bytesOf(await head(target))).equals(bytes));
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
  });

  test("in an algorithm that is not offered is 400, and its bytes are not kept", async () => {
    const target = await begun({ "upload-length": "3", ...named("crc.bin") });
    for (const sum of ["crc32 AAAAAA==", "sha1", "sha1 ?"])
      assert.equal((await append(target, 0, "abc", { "upload-checksum": sum })).status, 400, sum);
    assert.equal(await offsetOf(target), "0");
    assert.equal((await append(target, 0, "", sumOf("abc"))).status, 460, "nothing came");
    assert.equal((await append(target, 0, "abcd", sumOf("abcd"))).status, 413);
    assert.equal(await offsetOf(target), "0");
    await giveUp(target);
  });

  test("that is cut off leaves nothing of it", async () => {
    const target = await begun({ "upload-length": "200000", ...named("cut.bin") });
    const bytes = randomBytes(200_000);
    const type = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
    const headers = { ...version, "x-api-key": house.key, ...type, ...sumOf(bytes), "content-length": "200000" };
    const cut = request({ host: "127.0.0.1", port: house.cloudPort, path: target, method: "PATCH", headers });
    cut.on("error", () => undefined);
    await new Promise((resolve) => cut.write(bytes.subarray(0, 150_000), resolve));
    cut.destroy();
    assert.equal(await offsetOf(target), "0");
    const done = await append(target, 0, bytes, sumOf(bytes));
    assert.ok((await bytesOf(done)).equals(bytes));
  });
});

describe("partial uploads", () => {
  test("are joined in the order in which they are named, counted once, and no assets by themselves", async () => {
    const [one, two] = [randomBytes(60_000), randomBytes(50_000)];
    const first = await partOf(one);
    const second = await begun({ "upload-concat": "partial", ...deferred });
    await append(second, 0, two.subarray(0, 20_000));
    await append(second, 20_000, two.subarray(20_000), { "upload-length": "50000", ...sumOf(two.subarray(20_000)) });
    const part = await head(first);
    assert.deepEqual([part.headers["upload-concat"], part.headers["location"]], ["partial", undefined]);
    assert.deepEqual(await reserved(), [110_000, 2]);
    const about = { ...named("joined.bin"), ...final(`http://elsewhere.example${second}`, first) };
    const target = await begun(about);
    const done = await head(target);
    assert.deepEqual(
      ["upload-concat", "upload-length", "upload-offset"].map((name) => done.headers[name]),
      [about["upload-concat"], "110000", "110000"],
    );
    assert.ok((await bytesOf(done)).equals(Buffer.concat([two, one])));
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
    assert.equal((await append(target, 110_000, "x")).status, 403, "a final upload takes no bytes");
    assert.equal(await begun(about), target, "the same request, whose answer was lost, gets the same upload");
    assert.equal((await announce({ ...about, ...named("other.bin") })).status, 409);
    assert.equal((await announce({ ...named("again.bin"), ...final(first) })).status, 409);
    assert.equal((await giveUp(first)).status, 204);
    assert.ok((await bytesOf(done)).equals(Buffer.concat([two, one])));
  });

  test("use the quota up to its last byte, and joining them is no way past the cap of one asset", async () => {
    await withLimit("bytes", 1_000, async () => {
      const parts = [await partOf(Buffer.alloc(500, 1)), await partOf(Buffer.alloc(500, 2))];
      assert.equal((await announce(partial(1))).status, 429);
      await withLimit("asset_bytes", 999, async () => {
        assert.equal((await announce({ ...named("big.bin"), ...final(...parts) })).status, 413);
      });
      assert.deepEqual(await reserved(), [1_000, 2]);
      const done = await head(await begun({ ...named("big.bin"), ...final(...parts) }));
      assert.equal((await bytesOf(done)).length, 1_000);
    });
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
  });

  test("of another workspace, of no one, or that are no partial ones are 404 alike, and nothing is taken over", async () => {
    const own = await partOf("own");
    const foreign = await partOf("foreign", stranger);
    const whole = await begun({ "upload-length": "0", ...named("whole.bin") });
    const answers: TestAnswer[] = [];
    for (const other of [foreign, `/api/v2/uploads/${newId()}`, whole])
      answers.push(await announce({ ...named("stolen.bin"), ...final(own, other) }));
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(answers[0]?.status, 404);
    assert.equal((await head(foreign, stranger)).headers["upload-offset"], "7");
    assert.equal((await head(own)).headers["upload-offset"], "3");
    const joined = await begun({ ...named("theirs.txt"), ...final(foreign) }, stranger);
    assert.equal((await head(joined, stranger)).headers["upload-length"], "7");
    await giveUp(own);
  });

  test("are complete, named once, and joined without a length of their own", async () => {
    const [whole, open] = [await partOf("abc"), await begun(partial(3))];
    const unknown = await begun({ "upload-concat": "partial", ...deferred });
    for (const [headers, status] of [
      [final(whole, open), 409],
      [final(whole, unknown), 409],
      [final(whole, whole), 400],
      [final(), 400],
      [final("/api/v2/assets/x"), 400],
      [{ ...final(whole), "upload-length": "3" }, 400],
    ] as const)
      assert.equal((await announce({ ...named("x.bin"), ...headers })).status, status, JSON.stringify(headers));
    assert.equal((await announce(final(whole))).status, 422, "the final one says what the file is");
    for (const target of [whole, open, unknown]) assert.equal((await giveUp(target)).status, 204);
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
  });

  test("whose joined bytes do not have the announced hash are 460 and gone, with what was set aside", async () => {
    const parts = [await partOf("ab"), await partOf("cd")];
    const about = named("h.bin", { expected_hash: `blake3:${"0".repeat(64)}` });
    assert.equal((await announce({ ...about, ...final(...parts) })).status, 460);
    for (const target of parts) assert.equal((await head(target)).status, 404);
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
  });

  test("that were joined when the server died before the asset was made are committed by the next look", async () => {
    const parts = [await partOf("joined and "), await partOf("not yet an asset")];
    // As if the process had died between the two: nothing can be stored in between.
    await house.db.execute(sql`
      alter table assets add constraint no_more check (file_path is distinct from 'died.txt')`);
    const about = { ...named("died.txt"), ...final(...parts) };
    assert.equal((await announce(about)).status, 500);
    await house.db.execute(sql`alter table assets drop constraint no_more`);
    assert.deepEqual(await reserved(), [27, 1]);
    const done = await head(await begun(about));
    assert.equal(String(await bytesOf(done)), "joined and not yet an asset");
    assert.deepEqual([await house.leftovers(), await reserved()], [[], [0, 0]]);
  });

  test("that nobody joins expire with their bytes and what was set aside", async () => {
    await partOf("forgotten");
    await begun({ ...deferred, ...named("forgotten.bin") }).then((target) => append(target, 0, "forgotten too"));
    await house.clock.advance(24 * 3_600_000);
    await house.assets.sweep();
    const [left] = await house.db.query<{ count: string }>(sql`select count(*) from asset_upload_parts`);
    assert.deepEqual([Number(left?.count), await house.leftovers(), await reserved()], [0, [], [0, 0]]);
  });
});
