// v2 assets over real HTTP: small uploads that are durable when they are answered, one large upload and what it adds to
// the server's memory, and signed downloads. Beside the large upload the same bytes written and flushed by a plain
// program, in the same run.
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Pool } from "undici";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier } from "./processes.ts";
import { residentMegabytes } from "./start-and-rest.ts";

const boundary = "atelier-bench";
const mebibyte = 1024 * 1024;
const block = Buffer.alloc(mebibyte, 7);
const callers = 16;
const largeMebibytes = 1024;

const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const head = (name: string) =>
  `${part("content_type", "application/octet-stream")}${part("file_path", name)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const tail = `\r\n--${boundary}--\r\n`;
const formType = { "content-type": `multipart/form-data; boundary=${boundary}` };

export async function benchAssets(rounds: number): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-assets-"));
  const server = await atelier(home, false);
  const key = /API key: +(\S+)/.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
  const url = `http://127.0.0.1:${server.port}`;
  const headers = { "x-api-key": key, ...formType };
  try {
    const cpu = watchCpu();
    const series = { small: [] as number[], large: [] as number[], plain: [] as number[], download: [] as number[] };
    const pool = new Pool(url, { connections: callers });
    await smallUploads(pool, headers, 1);
    for (let round = 0; round < rounds; round++) series.small.push(await smallUploads(pool, headers, 3));
    // Before the large ones: afterwards the disk is busy writing them for a while.
    series.download.push(await downloads(pool, key));
    const restingMegabytes = residentMegabytes(server.pid);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, residentMegabytes(server.pid));
    }, 50);
    for (let round = 0; round < Math.min(rounds, 2); round++) {
      series.plain.push(plainWrite(join(home, "plain.bin")));
      series.large.push(await largeUpload(pool, headers, round));
    }
    clearInterval(watch);
    await pool.close();
    const foreignCpu = cpu.foreignShare();
    const finding = (name: string, values: number[], unit: Finding["unit"], limit?: Finding["limit"]): Finding => ({
      name,
      value: median(values),
      unit,
      ...(limit ? { limit } : {}),
      rounds: values,
      foreignCpu,
    });
    const share = (median(series.large) / median(series.plain)) * 100;
    return [
      finding("assets: 4 KiB uploads, durable, 16 callers", series.small, "answers/s", {
        kind: "at least",
        value: 300,
      }),
      finding("assets: upload of 1 GiB", series.large, "MB/s"),
      finding("plain write and fsync of 1 GiB", series.plain, "MB/s"),
      finding("assets: upload as a share of plain write and fsync", [share], "%", { kind: "at least", value: 60 }),
      finding("assets: memory added by the upload of 1 GiB", [most - restingMegabytes], "MB", {
        kind: "at most",
        value: 67,
      }),
      finding("assets: signed downloads of 1 MiB, 16 callers", series.download, "MB/s"),
    ];
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function smallUploads(pool: Pool, headers: Record<string, string>, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, lane) => {
      const bytes = Buffer.alloc(4096, lane);
      while (performance.now() < until) {
        bytes.writeDoubleBE(Math.random(), 0);
        const body = Buffer.concat([Buffer.from(head(`small-${lane}-${count}.bin`)), bytes, Buffer.from(tail)]);
        const answer = await pool.request({ method: "POST", path: "/api/v2/assets", headers, body });
        if (answer.statusCode !== 201)
          throw new Error(`an upload answered ${answer.statusCode}: ${await answer.body.text()}`);
        await answer.body.dump();
        count += 1;
      }
    }),
  );
  return count / seconds;
}

async function largeUpload(pool: Pool, headers: Record<string, string>, round: number): Promise<number> {
  function* form(): Iterable<Buffer> {
    yield Buffer.from(head(`large-${round}.bin`));
    yield Buffer.from(`${round}-${Math.random()}`.padEnd(64));
    for (let index = 0; index < largeMebibytes; index++) yield block;
    yield Buffer.from(tail);
  }
  const started = performance.now();
  const answer = await pool.request({ method: "POST", path: "/api/v2/assets", headers, body: Readable.from(form()) });
  if (answer.statusCode !== 201)
    throw new Error(`the upload answered ${answer.statusCode}: ${await answer.body.text()}`);
  await answer.body.dump();
  return (largeMebibytes * mebibyte) / 1e6 / ((performance.now() - started) / 1000);
}

function plainWrite(file: string): number {
  const started = performance.now();
  const target = openSync(file, "w");
  for (let index = 0; index < largeMebibytes; index++) writeSync(target, block);
  fsyncSync(target);
  closeSync(target);
  const rate = (largeMebibytes * mebibyte) / 1e6 / ((performance.now() - started) / 1000);
  rmSync(file);
  return rate;
}

async function downloads(pool: Pool, key: string): Promise<number> {
  const body = Buffer.concat([Buffer.from(head("download.bin")), block, Buffer.from(tail)]);
  const made = await pool.request({
    method: "POST",
    path: "/api/v2/assets",
    headers: { "x-api-key": key, ...formType },
    body,
  });
  const { url } = (await made.body.json()) as { url: string };
  const origin = new Pool(new URL(url).origin, { connections: callers });
  const path = `${new URL(url).pathname}${new URL(url).search}`;
  const until = performance.now() + 3000;
  let bytes = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const answer = await origin.request({ method: "GET", path });
        bytes += (await answer.body.arrayBuffer()).byteLength;
      }
    }),
  );
  await origin.close();
  return bytes / 1e6 / 3;
}
