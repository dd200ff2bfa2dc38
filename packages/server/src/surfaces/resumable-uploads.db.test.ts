// tus over real HTTP: cut, resumed, repeated, stolen and forgotten uploads.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "../foundation/database/index.ts";
import { newId } from "../foundation/ids.ts";
import { aClient, aHouse, type Client, type House, type TestRequest, textOf } from "./surfaces.fixture.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const about = (path: string, more: Record<string, string> = {}) =>
  Object.entries({ file_path: path, content_type: "application/octet-stream", ...more })
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(",");
const version = { "tus-resumable": "1.0.0" };

describe("a resumable upload", { timeout: 900_000 }, () => {
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

  const announce = (length: number | string, metadata = about("big.bin"), more: Record<string, string> = {}) =>
    client.ask("/api/v2/uploads", {
      method: "POST",
      headers: { ...version, "upload-length": String(length), "upload-metadata": metadata, ...more },
    });
  const append = (
    target: string,
    offset: number | string,
    body: Buffer | string,
    headers: Record<string, string> = {},
  ) =>
    client.ask(target, {
      method: "PATCH",
      headers: {
        ...version,
        "upload-offset": String(offset),
        "content-type": "application/offset+octet-stream",
        ...headers,
      },
      body,
    });
  const offsetOf = async (target: string) => {
    const head = await client.ask(target, { method: "HEAD", headers: version });
    assert.equal(head.status, 200);
    return Number(head.headers["upload-offset"]);
  };
  const reserved = async () => {
    const [row] = await house.db.query<{ bytes: string }>(sql`
      select coalesce(sum(reserved_bytes), 0) as bytes from asset_usage`);
    return Number(row?.bytes);
  };

  // Sends part of what it announced and then cuts the connection.
  async function cutAfter(target: string, offset: number, bytes: Buffer, sent: number): Promise<void> {
    const socket = connect({ host: "127.0.0.1", port: house.cloudPort });
    socket.on("error", () => undefined);
    socket.write(
      `PATCH ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${house.key}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${offset}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${bytes.length - offset}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(bytes.subarray(offset, offset + sent), resolve));
    // Cut during the write and not before it began.
    const isWriting = async () =>
      (await house.db.query(sql`select from asset_uploads where writer is not null`)).length > 0;
    for (let look = 0; look < 12_000 && !(await isWriting()); look++) await wait(5);
    await wait(20);
    socket.destroy();
  }

  test("in two pieces becomes an asset with the right bytes, whose address comes with the last piece", async () => {
    const bytes = randomBytes(300_000);
    const made = await announce(bytes.length, about("two/pieces.bin", { tags: "a,b" }));
    assert.equal(made.status, 201, made.text);
    const target = textOf(made.headers["location"]);
    assert.match(textOf(made.headers["upload-expires"]), /GMT$/);
    const first = await append(target, 0, bytes.subarray(0, 100_000));
    assert.deepEqual(
      [first.status, first.headers["upload-offset"], first.headers["location"]],
      [204, "100000", undefined],
    );
    assert.equal(await offsetOf(target), 100_000);
    const last = await append(target, 100_000, bytes.subarray(100_000));
    assert.deepEqual([last.status, last.headers["upload-offset"]], [204, "300000"]);
    const asset = (await client.ask(textOf(last.headers["location"]))).json();
    assert.deepEqual([asset["file_path"], asset["size_bytes"], asset["tags"]], ["two/pieces.bin", 300_000, ["a", "b"]]);
    assert.ok((await client.ask(textOf(asset["url"]), {}, {})).bytes.equals(bytes));
    assert.deepEqual([await house.leftovers(), await reserved()], [[], 0]);
  });

  test("cut ten times resumes each time and commits once", async () => {
    const bytes = randomBytes(2_000_000);
    const target = textOf((await announce(bytes.length)).headers["location"]);
    for (let cut = 0; cut < 10; cut++) {
      const offset = await offsetOf(target);
      await cutAfter(target, offset, bytes, 150_000);
    }
    const offset = await offsetOf(target);
    assert.ok(offset > 0 && offset <= 1_500_000, String(offset));
    const last = await append(target, offset, bytes.subarray(offset));
    const asset = (await client.ask(textOf(last.headers["location"]))).json();
    assert.ok((await client.ask(textOf(asset["url"]), {}, {})).bytes.equals(bytes));
  });

  test("whose last piece is sent again and again is one asset", async () => {
    const made = await announce(3, about("once.bin"));
    const target = textOf(made.headers["location"]);
    const [first, ...others] = await Promise.all([
      append(target, 0, "abc"),
      append(target, 0, "abc"),
      append(target, 0, "abc"),
    ]);
    const statuses = [first, ...others].map((answer) => answer?.status ?? 0).sort();
    assert.equal(statuses[0], 204);
    assert.ok(
      statuses.every((status) => status === 204 || status === 409),
      String(statuses),
    );
    const again = await append(target, 3, "");
    const head = await client.ask(target, { method: "HEAD", headers: version });
    assert.equal(again.headers["location"], head.headers["location"]);
    const rows = await house.db.query(sql`select from assets where file_path = 'once.bin'`);
    assert.equal(rows.length, 1);
    assert.equal(await reserved(), 0);
  });

  test("that was complete when its server died is committed by the next request for it", async () => {
    const target = textOf((await announce(5, about("late.bin"))).headers["location"]);
    await append(target, 0, "abcd");
    const id = target.slice(target.lastIndexOf("/") + 1);
    // As if four were all, and the server had died after the last of them.
    await house.db.execute(sql`update asset_uploads set length = 4 where id = ${id}`);
    await house.db.execute(sql`update asset_usage set reserved_bytes = reserved_bytes - 1 where reserved_bytes > 0`);
    const head = await client.ask(target, { method: "HEAD", headers: version });
    const asset = (await client.ask(textOf(head.headers["location"]))).json();
    assert.equal((await client.ask(textOf(asset["url"]), {}, {})).text, "abcd");
  });

  test("a writer that lost its lease adds nothing, and its bytes are sent again by another", async () => {
    const target = textOf((await announce(6, about("tail.bin"))).headers["location"]);
    await append(target, 0, "abc");
    const id = target.slice(target.lastIndexOf("/") + 1);
    const slow = request({
      host: "127.0.0.1",
      port: house.cloudPort,
      path: target,
      method: "PATCH",
      headers: {
        ...version,
        "x-api-key": house.key,
        "upload-offset": "3",
        "content-type": "application/offset+octet-stream",
        "content-length": "3",
      },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
    });
    slow.write("x");
    const isWriting = async () =>
      (await house.db.query(sql`select from asset_uploads where id = ${id} and writer is not null`)).length > 0;
    for (let look = 0; look < 12_000 && !(await isWriting()); look++) await wait(5);
    // As if its process had slept, and another had come and gone in the meantime.
    await house.db.execute(sql`update asset_uploads set writer = null, writer_until = null where id = ${id}`);
    slow.end("yz");
    assert.equal(await answered, 409);
    assert.equal(await offsetOf(target), 3);
    const last = await append(target, 3, "def");
    const asset = (await client.ask(textOf(last.headers["location"]))).json();
    assert.equal((await client.ask(textOf(asset["url"]), {}, {})).text, "abcdef");
  });

  test("at another offset is 409, with more than it announced 413, of another type 415, without a version 412", async () => {
    const target = textOf((await announce(10)).headers["location"]);
    assert.equal((await append(target, 1, "x")).status, 409);
    assert.equal((await append(target, 0, "x".repeat(11))).status, 413);
    assert.equal((await append(target, 0, "x", { "content-type": "text/plain" })).status, 415);
    assert.equal((await append(target, "x", "x")).status, 400);
    const unversioned = await client.ask(target, { method: "HEAD" });
    assert.deepEqual([unversioned.status, unversioned.headers["tus-version"]], [412, "1.0.0"]);
    assert.equal(await offsetOf(target), 0);
    assert.equal((await client.ask(target, { method: "DELETE", headers: version })).status, 204);
  });

  test("whose bytes do not have the announced hash is 460, gone, and its room is given back", async () => {
    const target = textOf(
      (await announce(3, about("h.bin", { expected_hash: `blake3:${"0".repeat(64)}` }))).headers["location"],
    );
    const refused = await append(target, 0, "abc");
    assert.equal(refused.status, 460);
    assert.match(textOf(refused.headers["content-type"]), /^text\/plain/);
    assert.equal((await client.ask(target, { method: "HEAD", headers: version })).status, 404);
    assert.deepEqual([await house.leftovers(), await reserved()], [[], 0]);
  });

  test("of nothing is an asset when it is announced", async () => {
    const made = await announce(0, about("empty.bin"));
    assert.equal(made.status, 201);
    const head = await client.ask(textOf(made.headers["location"]), { method: "HEAD", headers: version });
    assert.match(textOf(head.headers["location"]), /^\/api\/v2\/assets\//);
  });

  test("is visible to its owner only, on every verb", async () => {
    const target = textOf((await announce(5)).headers["location"]);
    const asked: TestRequest[] = [
      { method: "HEAD", headers: version },
      { method: "DELETE", headers: version },
      {
        method: "PATCH",
        headers: { ...version, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
        body: "x",
      },
    ];
    for (const request of asked) {
      const foreign = await stranger.ask(target, request);
      const absent = await stranger.ask(`/api/v2/uploads/${newId()}`, request);
      assert.deepEqual([foreign.status, foreign.text], [404, absent.text], String(request.method));
      assert.equal((await client.ask(target, request, {})).status, 401, String(request.method));
    }
    assert.equal(await offsetOf(target), 0);
    await client.ask(target, { method: "DELETE", headers: version });
  });

  test("that is announced wrongly is refused in plain text", async () => {
    const wrong: [Awaited<ReturnType<typeof announce>>, number][] = [
      [await announce("x"), 400],
      [await announce(-1), 400],
      [await announce(6 * 1024 ** 3), 413],
      [await announce(1, about("../x")), 422],
      [await announce(1, "file_path"), 422],
      [await announce(1, about("x"), { "upload-defer-length": "1" }), 400],
      [await announce(1, about("x"), { "upload-concat": "parts" }), 400],
      [await announce(1, about("x"), { "upload-concat": "final;/api/v2/uploads/x" }), 400],
    ];
    for (const [answer, status] of wrong) {
      assert.equal(answer.status, status, answer.text);
      assert.match(textOf(answer.headers["content-type"]), /^text\/plain/);
      assert.equal(answer.headers["tus-resumable"], "1.0.0");
    }
    assert.equal(await reserved(), 0);
  });

  test("is counted against the quota from its announcement on, and given back when it ends or expires", async () => {
    const { workspaceId } = house;
    const [row] = await house.db.query<{ bytes: string }>(sql`
      select bytes from asset_usage where workspace_id = ${workspaceId}`);
    const value = Number(row?.bytes) + 1000;
    await house.limits.setOverride(house.db, { workspaceId, name: "bytes", value });
    await house.limits.drop(workspaceId);
    const first = await announce(600);
    assert.equal(first.status, 201);
    assert.equal((await announce(600)).status, 429);
    await client.ask(textOf(first.headers["location"]), { method: "DELETE", headers: version });
    const second = await announce(600);
    assert.equal(second.status, 201);
    await append(textOf(second.headers["location"]), 0, "part of it");
    await house.clock.advance(24 * 3_600_000);
    assert.equal(
      (await client.ask(textOf(second.headers["location"]), { method: "HEAD", headers: version })).status,
      404,
    );
    await house.assets.sweep();
    assert.deepEqual([await house.leftovers(), await reserved()], [[], 0]);
    assert.equal((await announce(1000)).status, 201);
    await house.limits.resetOverride(house.db, { workspaceId, name: "bytes" });
    await house.limits.drop(workspaceId);
  });
});
