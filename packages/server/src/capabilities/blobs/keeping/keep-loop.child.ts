// The process that the crash and order tests kill and trace: it keeps, re-uses and collects blobs and prints one line for
// each that was acknowledged. Its settings come as one JSON argument.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { openDatabase } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import { openBlobStorage, parseBlobAddress } from "../blob-address.ts";
import { createBlobs } from "../blobs.ts";

interface LoopSettings {
  readonly databaseUrl: string;
  readonly address: string;
  readonly s3Credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly callers: number;
  // Per caller. If absent, it runs until it is killed.
  readonly count?: number;
  readonly bytesMax: number;
  readonly collects: boolean;
  // Whether some uploads share their bytes with others.
  readonly shares: boolean;
  // Whether it waits for standard input before it starts, because loading takes longer than it lives.
  readonly waits?: boolean;
}

const settings: LoopSettings = JSON.parse(process.argv[2] ?? "");
const database = openDatabase({ connection: settings.databaseUrl, poolSize: settings.callers + 1 });
const parsed = parseBlobAddress(settings.address);
if ("problem" in parsed) throw new Error(parsed.problem);
const { s3Credentials } = settings;
const storage = await openBlobStorage(parsed.address, s3Credentials ? { s3Credentials } : {});
const blobs = createBlobs({ database, storage, graceSeconds: 0 });
if (settings.waits) {
  // A killed process would lose its compile cache.
  flushCompileCache();
  await once(process.stdin, "data");
}

function someBytes(): Buffer {
  const common = Math.floor(Math.random() * 15);
  if (settings.shares && common < 5) return Buffer.alloc(2_000 + common, common);
  return randomBytes(1 + Math.floor(Math.random() ** 3 * settings.bytesMax));
}

// A store that is briefly down refuses; that acknowledges nothing and must not end the loop.
async function unlessRefused(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "service_unavailable") throw thrown;
  }
}

async function caller(): Promise<void> {
  const most = settings.count ?? Number.POSITIVE_INFINITY;
  for (let count = 0; count < most; count++) await unlessRefused(() => keepOne(count));
}

async function keepOne(count: number): Promise<void> {
  const holder = { kind: "test", id: newId() };
  const bytes = someBytes();
  async function* source() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const kept = await blobs.keep(source(), {
    bytesMax: 1e9,
    // Half of them share transactions with others.
    ...(count % 2 === 0 ? { group: "loop" } : {}),
    async commit(tx, blob) {
      await blobs.hold(tx, blob.hash, holder);
      return blob;
    },
  });
  if (count % 4 === 3) {
    await database.transaction((tx) => blobs.release(tx, kept.hash, holder));
    return;
  }
  process.stdout.write(`${JSON.stringify({ ...kept, id: holder.id })}\n`);
}

async function collector(): Promise<void> {
  for (;;) {
    const began = performance.now();
    await unlessRefused(() => blobs.collect({ dryRun: false, signal: new AbortController().signal }));
    // After a long walk through a large store, leave the store to the uploads for longer.
    await new Promise((resolve) => setTimeout(resolve, 3 * (performance.now() - began)));
  }
}

if (settings.collects) void collector();
await Promise.all(Array.from({ length: settings.callers }, caller));
await database.close();
