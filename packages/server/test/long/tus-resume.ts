// A long proof, run by hand: a tus upload of 2 GiB (or as many mebibytes as the first argument says), cut ten times on
// the way, resumes each time, commits once, and has the right bytes; the server's memory does not grow with it.
//   node --conditions=atelier-source packages/server/test/long/tus-resume.ts [mebibytes]
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Blake3Hasher } from "@napi-rs/blake-hash";
import { sql } from "../../src/foundation/database/index.ts";
import { aClient, aHouse, type House, textOf } from "../../src/surfaces/surfaces.fixture.ts";

const mebibyte = 1024 * 1024;
const length = Number(process.argv[2] ?? 2048) * mebibyte;
const cuts = 10;
const pattern = randomBytes(mebibyte);
const version = { "tus-resumable": "1.0.0" };

// Each mebibyte differs from all others by its number.
function chunkAt(index: number): Buffer {
  const chunk = Buffer.from(pattern);
  chunk.writeUInt32BE(index, 0);
  return chunk;
}

function hashOfAll(): string {
  const hasher = new Blake3Hasher();
  for (let index = 0; index < length / mebibyte; index++) hasher.update(chunkAt(index));
  return hasher.digest("hex");
}

// Sends [from, to) of the upload in a request that announces the rest of it.
async function send(house: House, target: string, from: number, to: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: house.cloudPort });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `PATCH ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${house.key}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${from}\r\n` +
      `Content-Type: application/offset+octet-stream\r\nContent-Length: ${length - from}\r\n\r\n`,
  );
  for (let at = from; at < to; ) {
    const index = Math.floor(at / mebibyte);
    const part = chunkAt(index).subarray(at - index * mebibyte, Math.min(mebibyte, to - index * mebibyte));
    if (!socket.write(part)) await drained(socket);
    at += part.length;
  }
  return socket;
}

async function drained(socket: Socket): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]).finally(() =>
    done.abort(),
  );
}

const house = await aHouse();
const client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
let peakBytes = 0;
const watch = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
}, 50);
try {
  const restBytes = process.memoryUsage().rss;
  const expected = hashOfAll();
  const metadata = Object.entries({
    file_path: "long.bin",
    content_type: "application/octet-stream",
    expected_hash: `blake3:${expected}`,
  }).map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`);
  const headers = { ...version, "upload-length": String(length), "upload-metadata": metadata.join(",") };
  const made = await client.ask("/api/v2/uploads", { method: "POST", headers });
  assert.equal(made.status, 201, made.text);
  const target = textOf(made.headers["location"]);
  const offset = async () =>
    Number((await client.ask(target, { method: "HEAD", headers: version })).headers["upload-offset"]);

  const started = performance.now();
  for (let cut = 0; cut < cuts; cut++) {
    const from = await offset();
    const socket = await send(house, target, from, from + Math.floor(length / (cuts + 1)) + cut * 1000 + 1);
    socket.destroy();
  }
  const from = await offset();
  process.stdout.write(`resumed ${cuts} times, ${from} of ${length} bytes\n`);
  const socket = await send(house, target, from, length);
  const [answer] = await once(socket, "data");
  assert.match(String(answer), /^HTTP\/1\.1 204 /);
  socket.destroy();
  const seconds = (performance.now() - started) / 1000;

  const head = await client.ask(target, { method: "HEAD", headers: version });
  const asset = (await client.ask(textOf(head.headers["location"]))).json();
  assert.deepEqual([asset["hash"], asset["size_bytes"]], [`blake3:${expected}`, length]);
  assert.equal((await house.db.query(sql`select from assets`)).length, 1, "committed once");
  assert.deepEqual(await house.leftovers(), []);
  const rate = Math.round(length / mebibyte / seconds);
  process.stdout.write(
    `${length / mebibyte} MiB in ${seconds.toFixed(1)} s (${rate} MiB/s), memory ${Math.round(restBytes / mebibyte)} → ${Math.round(peakBytes / mebibyte)} MiB at most, ` +
      `pattern ${createHash("sha256").update(pattern).digest("hex").slice(0, 8)}\n`,
  );
} finally {
  clearInterval(watch);
  await client.close();
  await house.close();
}
