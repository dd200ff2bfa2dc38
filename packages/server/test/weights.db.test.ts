// Bringing weights: from uploaded parts and from addresses, kept only if size and hash are right.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createAudit } from "../src/capabilities/audit/index.ts";
import { type BlobsFixture, blobsFixture, keepHeld, never } from "../src/capabilities/blobs/blobs.fixture.ts";
import { type Blobs, blake3Stream } from "../src/capabilities/blobs/index.ts";
import { createWeights, pieceBytes, type Weights } from "../src/capabilities/weights/index.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { createGuardedClient } from "../src/foundation/http/outgoing/guarded-client.ts";
import { blake3Of } from "./support/weight-example-calls.ts";

let fixture: BlobsFixture;
let blobs: Blobs;
let weights: Weights;
let origin: Server;
let originUrl: string;
const files = new Map<string, Buffer>();
const by = { actor: { kind: "admin", id: null } } as const;
const log = { info: () => undefined, warn: () => undefined };

before(async () => {
  fixture = await blobsFixture();
  const { database } = fixture;
  blobs = fixture.blobs();
  origin = createServer((request, response) => {
    const bytes = files.get(request.url ?? "");
    if (request.url === "/moved") return void response.writeHead(302, { location: "/a" }).end();
    if (request.url === "/away") return void response.writeHead(302, { location: "http://127.0.0.2:9/a" }).end();
    if (bytes === undefined) response.writeHead(404).end();
    else response.end(bytes);
  });
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  const { port } = origin.address() as AddressInfo;
  originUrl = `http://127.0.0.1:${port}`;
  weights = createWeights({
    database,
    clock: systemClock,
    log,
    audit: createAudit({ database }),
    blobs,
    blake3: blake3Stream(),
    client: createGuardedClient({
      policy: { allowHttp: false, developmentTargets: [`127.0.0.1:${port}`] },
      clock: systemClock,
    }),
    urlProblem: (url) => (url.startsWith(originUrl) ? null : "Weights may not be fetched from there."),
    wake: () => undefined,
  });
});
after(async () => {
  origin.close();
  await fixture.close();
});

const blob = async (bytes: Buffer) => (await keepHeld(blobs, bytes)).hash;

const plain = { url: null, parts: [], licence: null, note: null };

async function bring(made: Partial<Parameters<Weights["add"]>[0]> & { path: string; blake3: string; bytes: number }) {
  const { weight } = await weights.add({ ...plain, ...made }, by);
  await weights.bring(never);
  return weights.get(weight.id);
}

describe("a weight", () => {
  test("is joined from parts and has the hash of each piece", async () => {
    const bytes = randomBytes(2 * pieceBytes + 1000);
    const parts = [await blob(bytes.subarray(0, pieceBytes + 5)), await blob(bytes.subarray(pieceBytes + 5))];
    const ready = await bring({ path: "loras/joined.bin", blake3: blake3Of(bytes), bytes: bytes.length, parts });
    assert.equal(ready.state, "ready", ready.problem ?? "");
    assert.equal(ready.sha256, createHash("sha256").update(bytes).digest("hex"));
    const found = await weights.pieces(ready.blake3);
    const wanted = [0, 1, 2].map((at) => blake3Of(bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)));
    assert.equal(found?.pieces.toString("hex"), wanted.join(""));
  });

  test("whose bytes are here already needs no source", async () => {
    const bytes = randomBytes(100);
    const own = await blob(bytes);
    assert.equal((await bring({ path: "vae/known.bin", blake3: own, bytes: 100 })).state, "ready");
    await assert.rejects(bring({ path: "vae/unknown.bin", blake3: "0".repeat(64), bytes: 100 }), /does not have these/);
  });

  test("is fetched from an address, also through a redirect to an allowed one", async () => {
    const bytes = randomBytes(5000);
    files.set("/a", bytes);
    const made = { path: "loras/fetched.bin", blake3: blake3Of(bytes), bytes: 5000 };
    assert.equal((await bring({ ...made, url: `${originUrl}/moved` })).state, "ready");
  });

  test("is refused if the address has other bytes, more, fewer, none, or leads elsewhere", async () => {
    const bytes = randomBytes(5000);
    const own = blake3Of(bytes);
    files.set("/a", bytes);
    files.set("/other", randomBytes(5000));
    const wanted = { blake3: own, bytes: 5000 };
    const problems = [
      await bring({ ...wanted, path: "loras/1.bin", url: `${originUrl}/other` }),
      await bring({ ...wanted, path: "loras/2.bin", bytes: 4999, url: `${originUrl}/a` }),
      await bring({ ...wanted, path: "loras/3.bin", bytes: 5001, url: `${originUrl}/a` }),
      await bring({ ...wanted, path: "loras/4.bin", url: `${originUrl}/none` }),
      await bring({ ...wanted, path: "loras/5.bin", url: `${originUrl}/away` }),
    ].map(({ state, problem }) => `${state}: ${problem}`);
    assert.match(problems[0] ?? "", /^failed: The bytes do not match/);
    assert.match(problems[1] ?? "", /^failed: /);
    assert.match(problems[2] ?? "", /^failed: It has 5000 bytes, but 5001/);
    assert.match(problems[3] ?? "", /^failed: The address answered 404/);
    assert.match(problems[4] ?? "", /^failed: Weights may not be fetched from there/);
    await assert.rejects(bring({ ...wanted, path: "loras/6.bin", url: "https://elsewhere.example/a" }), /may not be/);
  });

  test("that failed is tried again, with its note", async () => {
    const bytes = randomBytes(300);
    const made = { path: "loras/again.bin", blake3: blake3Of(bytes), bytes: 300, url: `${originUrl}/late` };
    const failed = await bring({ ...made, note: "for films" });
    assert.equal(failed.state, "failed");
    files.set("/late", bytes);
    const ready = await bring(made);
    assert.deepEqual([ready.id, ready.state, ready.note], [failed.id, "ready", "for films"]);
  });

  test("is refused if its path leads outside or names no folder", async () => {
    for (const path of ["../a.bin", "/etc/a", "loras/../../a", "a.bin", "c:/a", "loras\\a"])
      await assert.rejects(bring({ path, blake3: "0".repeat(64), bytes: 1 }), /path must be/);
  });

  test("gives its bytes back to the collector when it is removed", async () => {
    const bytes = randomBytes(70);
    const own = blake3Of(bytes);
    files.set("/gone", bytes);
    const ready = await bring({ path: "loras/gone.bin", blake3: own, bytes: 70, url: `${originUrl}/gone` });
    const opened = await weights.open(own, { from: 10, bytes: 5 });
    assert.deepEqual(Buffer.from((await opened.source.next()) ?? []), bytes.subarray(10, 15));
    await opened.source.close();
    await assert.rejects(weights.open(own, { from: 66, bytes: 5 }), /has 70 bytes/);
    await weights.remove(ready.id, by);
    await blobs.collectNow(own);
    assert.equal(await blobs.open(own), null);
    assert.equal(await weights.pieces(own), null);
  });
});
