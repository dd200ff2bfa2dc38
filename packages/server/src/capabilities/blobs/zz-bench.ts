import { randomBytes } from "node:crypto";
import { mkdtemp, open, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { migrate, openDatabase, startEmbeddedPostgres } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import { createBlobs, fileBlobStorage } from "./index.ts";

const dir = await mkdtemp("/tmp/blobbench/b-");
const pg = await startEmbeddedPostgres({ dataDir: join("/tmp/blobbench", "pg") });
await migrate({ connection: pg.connection, directory: join(import.meta.dirname, "../../../migrations") });
const database = openDatabase({ connection: pg.connection, poolSize: 16 });
const storage = fileBlobStorage({ directory: dir });
const blobs = createBlobs({ database, storage, graceSeconds: 0 });
const chunk = randomBytes(65536);
async function* source(total: number) {
  let n = 0;
  for (let at = 0; at < total; at += 65536) {
    const c = Buffer.allocUnsafe(65536);
    chunk.copy(c);
    c.writeUInt32LE(n++, 0);
    c.writeUInt32LE(salt, 4);
    yield c;
  }
}
let salt = 1;
const MB = 1024 ** 2;
const commit = async (tx: any, blob: any) => {
  await blobs.hold(tx, blob.hash, { kind: "bench", id: newId() });
  return blob;
};
const time = async (run: () => Promise<unknown>) => {
  const t = performance.now();
  await run();
  return performance.now() - t;
};
async function viaSocket(total: number, use: (s: AsyncIterable<Uint8Array>) => Promise<unknown>) {
  const server = createServer(async (socket) => {
    for await (const c of source(total)) if (!socket.write(c)) await new Promise((r) => socket.once("drain", r));
    socket.end();
  });
  await new Promise<void>((r) => server.listen(0, "127.0.0.1", r));
  const socket = connect({ port: (server.address() as any).port, host: "127.0.0.1" });
  try {
    return await use(socket);
  } finally {
    server.close();
  }
}
const writeEach = async (s: AsyncIterable<Uint8Array>) => {
  const p = join(dir, "plain");
  const h = await open(p, "w");
  for await (const c of s) await h.write(c);
  await h.sync();
  await h.close();
  await rm(p);
};
const noHash = createBlobs({
  database,
  storage,
  blake3: async () => ({ update() {}, digest: () => randomBytes(32).toString("hex") }),
});
const keep = (b: typeof blobs) => (s: AsyncIterable<Uint8Array>) => b.keep(s, { bytesMax: 1e12, commit });
const med = (v: number[]) => v.toSorted((a, b) => a - b)[v.length >> 1]!;
for (const [label, feed] of [
  ["generator", (t: number, u: any) => u(source(t))],
  ["socket", viaSocket],
] as const) {
  const rate: Record<string, number[]> = {};
  const cpu: Record<string, number[]> = {};
  for (let round = 0; round < 7; round++)
    for (const [name, use] of [
      ["keep", keep(blobs)],
      ["nohash", keep(noHash)],
      ["plain", writeEach],
    ] as const) {
      salt++;
      const c0 = process.cpuUsage();
      const ms = await time(() => feed(256 * MB, use));
      const c = process.cpuUsage(c0);
      (rate[name] ??= []).push(256 / (ms / 1000));
      (cpu[name] ??= []).push((c.user + c.system) / 1000);
      await database.execute({ text: "delete from blob_references", values: [], name: "x1" } as any);
      await createBlobs({ database, storage, graceSeconds: 0 }).collect({
        dryRun: false,
        signal: new AbortController().signal,
      });
    }
  const ratio = (n: string) => med(rate["keep"]!.map((x, i) => x / rate[n]![i]!)).toFixed(2);
  console.log(
    label,
    "median MiB/s",
    Object.entries(rate)
      .map(([n, v]) => `${n} ${med(v).toFixed(0)} (best ${Math.max(...v).toFixed(0)})`)
      .join(", "),
    "| keep/nohash",
    ratio("nohash"),
    "keep/plain",
    ratio("plain"),
    "| cpu ms",
    Object.entries(cpu)
      .map(([n, v]) => `${n} ${med(v).toFixed(0)}`)
      .join(" "),
  );
}
// RSS
globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
salt++;
const ms1 = await time(() => viaSocket(1024 * MB, keep(blobs)));
clearInterval(timer);
console.log(
  "1 GiB",
  (1024 / (ms1 / 1000)).toFixed(0),
  "MiB/s; rss before",
  (before / MB).toFixed(0),
  "peak",
  (peak / MB).toFixed(0),
  "growth",
  ((peak - before) / MB).toFixed(0),
);
// read back
const { rows } = {
  rows: await database.query<{ hash: string }>({
    text: "select encode(hash,'hex') as hash from blobs order by size desc limit 1",
    values: [],
    name: "x2",
  } as any),
};
const h = rows[0]!.hash;
let n = 0;
const ms2 = await time(async () => {
  const f = await blobs.open(h);
  for await (const c of f!.stream) n += c.length;
});
console.log("read verified", (n / MB / (ms2 / 1000)).toFixed(0), "MiB/s");
n = 0;
const ms3 = await time(async () => {
  const f = await storage.open(h);
  for await (const c of f!.stream) n += c.length;
});
console.log("read raw", (n / MB / (ms3 / 1000)).toFixed(0), "MiB/s");
// small
for (let round = 0; round < 6; round++) {
  let done = 0;
  const N = 4000;
  const lat: number[] = [];
  const ms = await time(() =>
    Promise.all(
      Array.from({ length: 16 }, async () => {
        while (done < N) {
          done++;
          const b = randomBytes(4096);
          const t = performance.now();
          await blobs.keep(
            (async function* () {
              yield b;
            })(),
            { bytesMax: 1e6, commit },
          );
          lat.push(performance.now() - t);
        }
      }),
    ),
  );
  lat.sort((a, b) => a - b);
  const cpu = process.cpuUsage();
  console.log(
    "small 4 KiB, 16 callers:",
    (lat.length / (ms / 1000)).toFixed(0),
    "/s p50",
    lat[lat.length >> 1]!.toFixed(1),
    "p99",
    lat[Math.floor(lat.length * 0.99)]!.toFixed(1),
  );
}
await database.close();
await pg.stop();
await rm(dir, { recursive: true, force: true });
