// Uploads: small ones that are durable when answered, next to as many files that a plain program makes durable; and one of 1
// GiB, next to the same bytes on plainer paths over the same machine (upload-pipes.ts), in turns within one run.
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AssetServer, shares } from "./assets-downloads.ts";
import { atLeast, atMost, type Finding, reportWith } from "./finding.ts";
import { treeCpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import type { PhaseLimit } from "./phase-limit.ts";
import { node, type Started, startUntilReady } from "./processes.ts";
import { residentWhile } from "./start-and-rest.ts";

const callers = 16;

export async function benchSmallUploads(
  site: AssetServer,
  { rounds, smallMs: milliseconds }: { readonly rounds: number; readonly smallMs: number },
  limit: PhaseLimit,
): Promise<Finding[]> {
  const { server, key, transfer, home } = site;
  const cpu = watchCpu();
  const rates: number[] = [];
  const used: number[] = [];
  const plain: number[] = [];
  // The first two rounds warm everything up.
  for (let round = -2; round < rounds; round++) {
    limit.check();
    const before = treeCpuSecondsOf(server.pid);
    const job = { kind: "small uploads", port: server.port, key, connections: callers, milliseconds } as const;
    const tally = await transfer.run(job);
    if (round < 0) continue;
    rates.push(tally.answers / tally.seconds);
    used.push(((treeCpuSecondsOf(server.pid) - before) * 1e6) / tally.answers);
    plain.push(await durableFiles(join(home, `bench-plain-${round}`), milliseconds / 3));
  }
  const { medianOf } = reportWith(cpu.foreignShare());
  return [
    medianOf("assets: 4 KiB uploads, durable, 16 callers", rates, "answers/s", atLeast(300)),
    medianOf("assets: 4 KiB uploads: CPU for one, database included", used, "µs"),
    medianOf("plain files of 4 KiB with two flushes each, 16 at once", plain, "answers/s"),
  ];
}

// The minimum for durability: the bytes and the name, each flushed.
async function durableFiles(folder: string, milliseconds: number): Promise<number> {
  const bytes = Buffer.alloc(4096, 1);
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, lane) => {
      const own = join(folder, String(lane));
      await mkdir(own, { recursive: true });
      for (let index = 0; performance.now() - began < milliseconds; index++) {
        const file = await open(join(own, String(index)), "wx");
        await file.write(bytes);
        await file.sync();
        await file.close();
        const names = await open(own, "r");
        await names.sync();
        await names.close();
        count += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  await rm(folder, { recursive: true });
  return count / seconds;
}

const ways = ["plain", "ours", "unhashed", "hashed"] as const;
type Way = (typeof ways)[number];

export async function benchLargeUploads(
  site: AssetServer,
  { rounds, mebibytes }: { readonly rounds: number; readonly mebibytes: number },
  limit: PhaseLimit,
): Promise<Finding[]> {
  const cpu = watchCpu();
  const rates: Record<Way, number[]> = { ours: [], plain: [], unhashed: [], hashed: [] };
  const used: Record<Way, number[]> = { ours: [], plain: [], unhashed: [], hashed: [] };
  const added: number[] = [];
  const directory = join(site.home, "bench-pipes");
  await mkdir(directory);
  await using pipes = await startUntilReady([...node("bench/upload-pipes.ts"), directory], { isPinned: true });
  for (let round = -1; round < rounds; round++) {
    // Back and forth, so that no path always follows the same one: the disk is still busy with what was removed before.
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      limit.check();
      const server = way === "ours" ? site.server : pipes;
      const measured = await upload(site, server, way, round < 0 ? mebibytes / 4 : mebibytes);
      if (round < 0) continue;
      rates[way].push(measured.rate);
      used[way].push(measured.cpu);
      if (way === "ours") added.push(measured.added);
    }
  }
  return largeFindings(`${mebibytes} MiB`, { rates, used, added }, cpu.foreignShare());
}

async function upload({ key, transfer }: AssetServer, { pid, port }: Started, way: Way, mebibytes: number) {
  const before = treeCpuSecondsOf(pid);
  const path = way === "ours" ? "/api/v2/assets" : `/${way}`;
  const { added, result: tally } = await residentWhile(pid, 20, () =>
    transfer.run({ kind: "large upload", port, key, path, mebibytes, milliseconds: 30_000 }),
  );
  const megabytes = tally.bytes / 1e6;
  const cpu = ((treeCpuSecondsOf(pid) - before) * 1e6) / megabytes;
  return { rate: megabytes / tally.seconds, cpu, added };
}

interface Measured {
  readonly rates: Record<Way, number[]>;
  readonly used: Record<Way, number[]>;
  readonly added: number[];
}

function largeFindings(size: string, { rates, used, added }: Measured, foreignCpu: number | null): Finding[] {
  const { medianOf } = reportWith(foreignCpu);
  return [
    medianOf(`assets: upload of ${size}`, rates.ours, "MB/s"),
    medianOf(`assets: upload of ${size}: CPU for one MB`, used.ours, "µs"),
    medianOf(`plain write and fsync of ${size} over HTTP`, rates.plain, "MB/s"),
    medianOf(`plain write and fsync of ${size} over HTTP: CPU for one MB`, used.plain, "µs"),
    medianOf("assets: upload as a share of plain write and fsync", shares(rates.ours, rates.plain), "%", atLeast(60)),
    medianOf(`our pipe of ${size} without hashing`, rates.unhashed, "MB/s"),
    medianOf(`our pipe of ${size} with hashing`, rates.hashed, "MB/s"),
    medianOf("the pipe as a share of itself without hashing", shares(rates.hashed, rates.unhashed), "%", atLeast(80)),
    medianOf(`assets: memory added by the upload of ${size}`, added, "MB", atMost(67)),
  ];
}
