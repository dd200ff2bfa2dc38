import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import type {
  EngineEvent,
  EngineFailure,
  EngineHost,
  EngineJob,
  EnginePoolOptions,
  EngineResult,
} from "./engine-host.ts";
import { openEnginePool } from "./engine-pool.ts";
import type { Graph } from "./graph/graph.ts";
import { HostRefusal } from "./host-calls.ts";

const scratchDirectory = await mkdtemp(join(tmpdir(), "atelier-engine-test-"));
const pools: { close(): Promise<void> }[] = [];
after(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await rm(scratchDirectory, { recursive: true, force: true });
});

function open(options: Partial<EnginePoolOptions> = {}) {
  const pool = openEnginePool({ size: 1, scratchDirectory, ...options });
  pools.push(pool);
  return pool;
}

// For every test that leaves its child alive: starting one takes longer than most jobs.
const shared = open();

const empty = (size = 8, batch_size = 1) => ({
  class_type: "EmptyImage",
  inputs: { width: size, height: size, batch_size, color: 0x336699 },
});
const save = (source: string) => ({ class_type: "SaveImage", inputs: { images: [source, 0], filename_prefix: "a" } });
const small: Graph = { "1": empty(), "2": save("1") };

interface RecordedHost {
  readonly host: EngineHost;
  readonly events: EngineEvent[];
  readonly outputs: { readonly name: string; readonly bytes: Buffer; readonly reused: boolean }[];
}

function hostWith(overrides: Partial<EngineHost> = {}): RecordedHost {
  const events: EngineEvent[] = [];
  const outputs: RecordedHost["outputs"] = [];
  const host: EngineHost = {
    readAsset: async () => assert.fail("no file was given"),
    callModel: async () => assert.fail("no model was given"),
    saveOutput: async (output) => {
      outputs.push({ name: output.name, bytes: await readFile(output.path), reused: output.reused });
    },
    onEvent: (event) => events.push(event),
    ...overrides,
  };
  return { host, events, outputs };
}

const job = (id: string, graph: Graph, more: Partial<EngineJob> = {}): EngineJob => ({ id, graph, ...more });
const failure = (result: EngineResult): EngineFailure | null => (result.status === "failed" ? result.failure : null);

// A node that never returns. The signal does to the child what an endless loop would; it arrives while the node is busy with a
// pattern that takes all the steps it may.
const stuck: Graph = {
  "1": { class_type: "RegexReplace", inputs: { string: "a".repeat(5000), regex_pattern: "(a*)*\\1b", replace: "" } },
  "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
};
const stopAt = (pool: { readonly processIds: readonly number[] }) => (event: EngineEvent) => {
  if (event.kind === "node_started" && event.nodeId === "1") process.kill(pool.processIds[0] ?? 0, "SIGSTOP");
};

test("a job runs in a child: files go in and out as files, and nothing is left behind", async () => {
  const pool = shared;
  const red = await sharp({ create: { width: 16, height: 8, channels: 3, background: "#ff0000" } })
    .png()
    .toBuffer();
  const graph: Graph = {
    "1": { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: "asset-1" } } } },
    "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
    "3": save("2"),
  };
  const asked: unknown[] = [];
  const recorded = hostWith({
    readAsset: async (reference) => {
      asked.push(reference);
      return {
        stream: (async function* () {
          yield red.subarray(0, 10);
          yield red.subarray(10);
        })(),
      };
    },
  });
  const result = await pool.run(job("1", graph), recorded.host);
  assert.equal(result.status, "succeeded", JSON.stringify(result));
  assert.deepEqual(asked, [{ kind: "asset", id: "asset-1", name: null }]);
  const { data, info } = await sharp(recorded.outputs[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, data[0], data[1], data[2]], [16, 8, 0, 255, 255]);
  assert.deepEqual([recorded.events[0]?.kind, recorded.events.at(-1)?.kind], ["started", "node_finished"]);
  const [folder = ""] = await readdir(scratchDirectory);
  for (const name of ["in", "out", "taken"]) assert.deepEqual(await readdir(join(scratchDirectory, folder, name)), []);
});

test("a child keeps results for its scope, and a free child of that scope is preferred", async () => {
  const pool = open({ size: 2 });
  await pool.warm();
  assert.equal(pool.processIds.length, 2);
  for (const cacheScope of ["one", "two"]) await pool.run(job(cacheScope, small, { cacheScope }), hostWith().host);
  for (const cacheScope of ["two", "one", "two"]) {
    const recorded = hostWith();
    const result = await pool.run(job(`${cacheScope} again`, small, { cacheScope }), recorded.host);
    assert.equal(result.metrics?.nodesCached, 2);
    assert.deepEqual(
      recorded.outputs.map(({ name, reused }) => [name, reused]),
      [["a_00001_.png", true]],
    );
  }
});

test("a node that never ends is stopped by the job's time limit, and the next job runs", async () => {
  const pool = open();
  await pool.warm();
  const [first] = pool.processIds;
  const recorded = hostWith({ onEvent: stopAt(pool) });
  const result = await pool.run(job("1", stuck, { limits: { seconds: 1 } }), recorded.host);
  assert.deepEqual([failure(result)?.code, failure(result)?.nodeId], ["timed_out", null]);
  assert.equal((await pool.run(job("2", small), hostWith().host)).status, "succeeded");
  assert.ok(!pool.processIds.includes(first ?? 0));
});

test("a job that ignores a cancellation is killed with its child", async () => {
  const pool = open();
  const stop = new AbortController();
  const freeze = stopAt(pool);
  const onEvent = (event: EngineEvent) => {
    freeze(event);
    if (event.kind === "node_started") stop.abort();
  };
  const recorded = hostWith({ onEvent });
  assert.equal((await pool.run(job("1", stuck), recorded.host, stop.signal)).status, "canceled");
  assert.equal((await pool.run(job("2", small), hostWith().host)).status, "succeeded");
});

test("a job that honours a cancellation keeps its child", async () => {
  const pool = shared;
  await pool.warm();
  const [before] = pool.processIds;
  const stop = new AbortController();
  const graph: Graph = {
    "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 2000, color: 5 } },
    "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 1 } },
    "3": save("2"),
  };
  const recorded = hostWith({
    onEvent: (event) => event.kind === "node_started" && event.nodeId === "2" && stop.abort(),
  });
  const result = await pool.run(job("1", graph), recorded.host, stop.signal);
  assert.equal(result.status, "canceled");
  assert.ok(result.metrics);
  assert.deepEqual(pool.processIds, [before]);
});

test("a waiting job is canceled without running, and a model call in flight is aborted", async () => {
  const pool = shared;
  const call = Promise.withResolvers<void>();
  const graph: Graph = {
    "1": { class_type: "AtelierModelImage", inputs: { model: "a/b", prompt: "x", width: 64, height: 64, seed: 1 } },
    "2": save("1"),
  };
  const stopRunning = new AbortController();
  const running = pool.run(
    job("1", graph),
    hostWith({
      callModel: (_call, signal) => {
        call.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    }).host,
    stopRunning.signal,
  );
  await call.promise;
  assert.equal(pool.free, 0);
  const stopWaiting = new AbortController();
  const waiting = pool.run(job("2", small), hostWith().host, stopWaiting.signal);
  stopWaiting.abort();
  assert.deepEqual(await waiting, { status: "canceled", metrics: null });
  stopRunning.abort();
  assert.equal((await running).status, "canceled");
});

test("a child that dies fails only its own job, and is replaced", async () => {
  const pool = open({ size: 2 });
  await pool.warm();
  const other = Promise.withResolvers<void>();
  const slow = pool.run(job("1", small), hostWith({ saveOutput: () => other.promise }).host);
  const before = new Set(pool.processIds);
  const recorded = hostWith({
    saveOutput: async () => {
      const [, mine] = pool.processIds;
      process.kill(mine ?? 0, "SIGKILL");
      await new Promise(() => {});
    },
  });
  const result = await pool.run(job("2", small), recorded.host);
  assert.deepEqual([failure(result)?.code, failure(result)?.isRetryable], ["engine_crashed", true]);
  other.resolve();
  assert.equal((await slow).status, "succeeded");
  assert.equal((await pool.run(job("3", small), hostWith().host)).status, "succeeded");
  await pool.warm();
  assert.equal(pool.processIds.filter((id) => before.has(id)).length, 1);
});

// Each picture fits, but together they take two gigabytes; the default budget is one.
const twoGigabytes: Graph = {
  ...Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [
      `${index}`,
      { class_type: "EmptyImage", inputs: { width: 4096, height: 4096, batch_size: 1, color: index } },
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `batch ${index}`,
      {
        class_type: "ImageBatch",
        inputs: { image1: [index === 0 ? "0" : `batch ${index - 1}`, 0], image2: [`${index + 1}`, 0] },
      },
    ]),
  ),
  last: save("batch 9"),
};

for (const [name, graph, code] of [
  ["a graph of 2 GB", twoGigabytes, "out_of_memory"],
  ["a node that never ends", stuck, "timed_out"],
  [
    "a decoder that crashes",
    { "1": { class_type: "LoadImage", inputs: { image: "a.png" } }, "2": save("1") },
    "engine_crashed",
  ],
] as const) {
  test(`${name} fails alone, beside a job that works before, meanwhile and after`, async () => {
    const pool = open({ size: 2 });
    await pool.warm();
    const finish = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const saveOutput = () => {
      began.resolve();
      return finish.promise;
    };
    const neighbour = pool.run(job("neighbour", small), hostWith({ saveOutput }).host);
    await began.promise;
    const [, mine = 0] = pool.processIds;
    const recorded = hostWith({
      readAsset: async () => ({ bytes: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") }),
      // The decoder is native code in the child. The signal does to the process what a fault in it would.
      onEvent: (event) => {
        if (event.kind === "node_started" && event.classType === "LoadImage") process.kill(mine, "SIGSEGV");
        if (event.kind === "node_started" && event.classType === "RegexReplace") process.kill(mine, "SIGSTOP");
      },
    });
    const limits = { seconds: code === "timed_out" ? 1 : 60 };
    const result = await pool.run(job("bad", graph, { limits }), recorded.host);
    assert.equal(failure(result)?.code, code, JSON.stringify(result));
    assert.equal(failure(result)?.isRetryable, code === "engine_crashed");
    finish.resolve();
    assert.equal((await neighbour).status, "succeeded");
    assert.equal((await pool.run(job("next", small), hostWith().host)).status, "succeeded");
    await pool.close();
  });
}

test("a canvas of terabytes is refused, and a graph may not take more than its budget", async () => {
  const pool = shared;
  const limits = { memoryBytes: 64 * 1024 ** 2 };
  const huge = await pool.run(job("1", { "1": empty(16384, 4096), "2": save("1") }, { limits }), hostWith().host);
  assert.deepEqual([failure(huge)?.code, failure(huge)?.nodeId], ["out_of_memory", "1"]);
  const many = await pool.run(job("2", { "1": empty(2048, 2), "2": save("1") }, { limits }), hostWith().host);
  assert.equal(failure(many)?.code, "out_of_memory");
  assert.equal((await pool.run(job("3", small), hostWith().host)).status, "succeeded");
});

test("memory that no budget counts is measured from outside", async () => {
  const pool = open({ memoryMegabytesMax: 64, limits: { memoryBytes: 4 * 1024 ** 3 } });
  const result = await pool.run(job("1", { "1": empty(8192, 4), "2": save("1") }), hostWith().host);
  assert.equal(failure(result)?.code, "out_of_memory");
  assert.equal((await pool.run(job("2", small), hostWith().host)).status, "succeeded");
});

test("a small file with a huge picture is refused before it is unpacked", async () => {
  const pool = shared;
  const graph: Graph = { "1": { class_type: "LoadImage", inputs: { image: "bomb.png" } }, "2": save("1") };
  for (const [width, height] of [
    [30_000, 30_000],
    [16_000, 16_000],
  ] as const) {
    const bytes = bomb(width, height);
    assert.ok(bytes.length < 2_000_000);
    const result = await pool.run(
      job("1", graph, { limits: { memoryBytes: 256 * 1024 ** 2 } }),
      hostWith({ readAsset: async () => ({ bytes }) }).host,
    );
    assert.equal(result.status, "failed");
    assert.equal(failure(result)?.nodeId, "1");
    assert.equal(pool.processIds.length, 1, "the child lives");
  }
});

// A PNG of one bit per pixel, all zero, with as few bytes as possible.
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * 64));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("a host that refuses chooses the words; a host that fails reveals none of its own", async () => {
  const pool = shared;
  const load: Graph = { "1": { class_type: "LoadImage", inputs: { image: "a.png" } }, "2": save("1") };
  const refused = await pool.run(
    job("1", load),
    hostWith({ readAsset: async () => Promise.reject(new HostRefusal("a.png is gone.")) }).host,
  );
  assert.deepEqual(
    [failure(refused)?.code, failure(refused)?.message, failure(refused)?.nodeId],
    ["asset_unavailable", "a.png is gone.", "1"],
  );
  const failed = await pool.run(
    job("2", load),
    hostWith({ readAsset: async () => Promise.reject(new Error("/secret")) }).host,
  );
  assert.deepEqual(
    [failure(failed)?.code, failure(failed)?.message],
    ["asset_unavailable", "A file that the graph uses could not be read."],
  );
  const unsaved = await pool.run(
    job("3", small),
    hostWith({ saveOutput: async () => Promise.reject(new Error("disk")) }).host,
  );
  assert.equal(failure(unsaved)?.code, "output_not_saved");
  const tooLong = await pool.run(
    job("4", load, { limits: { inputBytes: 10 } }),
    hostWith({ readAsset: async () => ({ bytes: Buffer.alloc(11) }) }).host,
  );
  assert.match(failure(tooLong)?.message ?? "", /larger than the 10 bytes/);
});

test("closing ends running and waiting jobs as retryable, and every process", async () => {
  const pool = open();
  await pool.warm();
  const ids = pool.processIds;
  const running = pool.run(job("1", stuck), hostWith({ onEvent: stopAt(pool) }).host);
  const waiting = pool.run(job("2", small), hostWith().host);
  await pool.close();
  for (const result of await Promise.all([running, waiting])) {
    assert.deepEqual([failure(result)?.code, failure(result)?.isRetryable], ["engine_closed", true]);
  }
  assert.equal(failure(await pool.run(job("3", small), hostWith().host))?.code, "engine_closed");
  for (const id of ids) assert.throws(() => process.kill(id, 0));
});

test("the child's environment holds nothing but the folder of compiled code", async () => {
  const pool = shared;
  await pool.warm();
  const [id] = pool.processIds;
  if (!existsSync(`/proc/${id}/environ`)) return;
  const environment = (await readFile(`/proc/${id}/environ`, "latin1")).split("\0").filter((entry) => entry !== "");
  const compiled = getCompileCacheDir();
  assert.deepEqual(
    environment.filter((entry) => !entry.startsWith("NODE_CHANNEL")),
    compiled === undefined ? [] : [`NODE_COMPILE_CACHE=${dirname(compiled)}`],
  );
});
