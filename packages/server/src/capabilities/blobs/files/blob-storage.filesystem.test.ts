import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { describeBlobStorage } from "../blob-storage.behaviour.ts";
import { fileBlobStorage } from "./blob-storage.filesystem.ts";
import { type FileCalls, nodeFiles } from "./file-calls.ts";

const reserve = { bytes: 0, share: 0 };
const hash = "ab".repeat(32);
const yes = async () => true;

describeBlobStorage("blobs in a folder", async () => {
  const directory = await mkdtemp(join(tmpdir(), "atelier-blobs-"));
  return {
    storage: fileBlobStorage({ directory, reserve }),
    largeBytes: 3 * 1024 ** 2,
    isThorough: true,
    close: () => rm(directory, { recursive: true, force: true }),
  };
});

describe("files and folders", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "atelier-blobs-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  async function put(folder: string, bytes: Uint8Array, files: FileCalls = nodeFiles): Promise<void> {
    const staging = await fileBlobStorage({ directory: folder, reserve, files }).stage();
    try {
      await staging.write(bytes);
      await staging.seal(hash);
      await staging.publish(hash, { size: bytes.length, replace: false, isLikelyThere: false });
    } finally {
      await staging.discard();
    }
  }

  test("only we may read and write them", async () => {
    const folder = join(directory, "private");
    await put(folder, Buffer.from("bytes"));
    const modes: Record<string, number> = {};
    for (const path of ["", "tmp", "blobs", "blobs/ab", `blobs/ab/${hash}`]) {
      modes[path] = (await stat(join(folder, path))).mode & 0o777;
    }
    assert.deepEqual(Object.values(modes), [0o700, 0o700, 0o700, 0o700, 0o600]);
  });

  test("the file is flushed before it has its name, and its name before the publish is over", async () => {
    const calls: string[] = [];
    await put(join(directory, "order"), Buffer.from("bytes"), recordCalls(calls));
    const recorded = calls.filter((call) => !call.startsWith("mkdir"));
    const end = recorded.slice(recorded.indexOf("write tmp"));
    // The parent folders are flushed in parallel, all of them before the file gets its name.
    const folders = ["fsync blobs", "fsync order", "fsync tmp"];
    assert.deepEqual(end.splice(1, 3).sort(), folders);
    assert.deepEqual(end, ["write tmp", "rename ab", "fsync ab"]);
  });

  test("many who read a file at once, at differing speeds and some not to the end, get its bytes", async () => {
    const folder = join(directory, "shared");
    const bytes = randomBytes(3 * 1024 * 1024 + 77);
    await put(folder, bytes);
    const storage = fileBlobStorage({ directory: folder, reserve });
    const readSome = async (reader: number): Promise<void> => {
      const start = reader % 3 === 0 ? reader * 1000 : 0;
      const found = await storage.open(hash, { start, end: bytes.length - 1 });
      assert.ok(found);
      const blocksMax = reader % 4 === 1 ? 3 : Number.POSITIVE_INFINITY;
      let at = start;
      for (let count = 0; count < blocksMax; count++) {
        const block: Uint8Array | null = await found.source.next();
        if (block === null) break;
        for (let pause = 0; pause < reader % 5; pause++) await new Promise((resolve) => setImmediate(resolve));
        assert.ok(bytes.subarray(at, at + block.length).equals(block));
        at += block.length;
      }
      await found.source.close();
      if (blocksMax > 3) assert.equal(at, bytes.length);
    };
    await Promise.all(Array.from({ length: 20 }, (_, reader) => readSome(reader)));
    await Promise.all(Array.from({ length: 20 }, (_, reader) => readSome(reader)));
  });

  for (const [call, code] of [
    ["write", "ENOSPC"],
    ["sync", "ENOSPC"],
    ["rename", "ENOSPC"],
    ["mkdir", "EDQUOT"],
  ] as const) {
    test(`a disk that is full at ${call} is a storage_full fault and leaves no file`, async () => {
      const folder = join(directory, `full-${call}`);
      await assert.rejects(
        put(folder, Buffer.from("bytes"), failing(call, code)),
        (thrown) => thrown instanceof Fault && thrown.code === "storage_full",
      );
      assert.deepEqual(await filesIn(folder), []);
    });
  }

  test("a flush that fails is a failure and leaves no file", async () => {
    const folder = join(directory, "broken");
    await assert.rejects(put(folder, Buffer.from("bytes"), failing("sync", "EIO")), { code: "EIO" });
    assert.deepEqual(await filesIn(folder), []);
  });

  test("a file that a collector took away by mistake goes back, also when the collector died", async () => {
    const folder = join(directory, "overtaken");
    await put(folder, Buffer.from("newer"));
    const dying: FileCalls = { ...nodeFiles, link: () => Promise.reject(new Error("killed")) };
    dying.unlink = () => Promise.reject(new Error("killed"));
    const storage = fileBlobStorage({ directory: folder, reserve });
    await assert.rejects(
      fileBlobStorage({ directory: folder, reserve, files: dying }).remove(hash, async () => false),
      {
        message: "killed",
      },
    );
    assert.equal(await storage.stat(hash), null);
    const sweep = { before: new Date(0), dryRun: false, isWanted: async (wanted: string) => wanted === hash };
    assert.deepEqual(await storage.sweepStaging({ ...sweep, dryRun: true }), { removed: 0, restored: 1 });
    assert.deepEqual(await storage.sweepStaging(sweep), { removed: 0, restored: 1 });
    assert.equal((await storage.stat(hash))?.size, 5);
    assert.deepEqual(await storage.sweepStaging(sweep), { removed: 0, restored: 0 });
  });

  test("files that are no blobs are neither listed nor touched", async () => {
    const folder = join(directory, "foreign");
    await put(folder, Buffer.from("bytes"));
    const foreign = ["blobs/README", "blobs/ab/notes.txt", `blobs/ab/${"cd".repeat(32)}`];
    for (const path of foreign) await writeFile(join(folder, path), "mine");
    const storage = fileBlobStorage({ directory: folder, reserve });
    const listed: string[] = [];
    for await (const found of storage.list()) listed.push(found.hash);
    assert.deepEqual(listed, [hash]);
    await storage.sweepStaging({ before: new Date(Date.now() + 1000), dryRun: false, isWanted: yes });
    for (const path of foreign) assert.ok((await stat(join(folder, path))).isFile());
  });

  test("the reserve is the larger of bytes and share, and a storage below it says so", async () => {
    const roomy = { bavail: 30, bsize: 1_000_000, blocks: 100, bfree: 30, files: 0, ffree: 0, type: 0 };
    const files = { ...nodeFiles, statfs: async () => roomy } as unknown as FileCalls;
    const problem = (bytes: number, share: number) =>
      fileBlobStorage({ directory: join(directory, "space"), reserve: { bytes, share }, files }).spaceProblem();
    assert.equal(await problem(30_000_000, 0.3), null);
    assert.match((await problem(30_000_001, 0)) ?? "", /has 28 MiB left/);
    assert.match((await problem(0, 0.31)) ?? "", /need 30 MiB free/);
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

// Records what is done to which path: tmp files as "tmp", folders by their own name.
function recordCalls(calls: string[]): FileCalls {
  const location = (path: unknown) => {
    const parts = String(path).split("/");
    return parts.at(-2) === "tmp" ? "tmp" : (parts.at(-1) ?? "").length === 64 ? parts.at(-2) : parts.at(-1);
  };
  return {
    ...nodeFiles,
    async open(path, flags, mode) {
      const handle = await nodeFiles.open(path, flags, mode);
      const { write, sync } = handle;
      handle.write = ((...given: Parameters<typeof write>) => {
        calls.push(`write ${location(path)}`);
        return write.apply(handle, given);
      }) as typeof write;
      handle.sync = () => {
        calls.push(`fsync ${location(path)}`);
        return sync.call(handle);
      };
      return handle;
    },
    link(from, to) {
      calls.push(`link ${location(to)}`);
      return nodeFiles.link(from, to);
    },
    rename(from, to) {
      calls.push(`rename ${location(to)}`);
      return nodeFiles.rename(from, to);
    },
    unlink(path) {
      calls.push(`unlink ${location(path)}`);
      return nodeFiles.unlink(path);
    },
  };
}

function failing(call: "write" | "sync" | "rename" | "mkdir", code: string): FileCalls {
  const failure = () => Promise.reject(Object.assign(new Error(code), { code }));
  if (call === "rename") return { ...nodeFiles, rename: failure };
  if (call === "mkdir") {
    let made = 0;
    const mkdir = ((...given: Parameters<typeof nodeFiles.mkdir>) =>
      ++made > 3 ? failure() : nodeFiles.mkdir(...given)) as typeof nodeFiles.mkdir;
    return { ...nodeFiles, mkdir };
  }
  return {
    ...nodeFiles,
    async open(path, flags, mode) {
      const handle = await nodeFiles.open(path, flags, mode);
      if (flags === "wx+") Object.assign(handle, { [call]: failure });
      return handle;
    },
  };
}
