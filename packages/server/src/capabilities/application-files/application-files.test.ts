import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { blake3Stream } from "../blobs/index.ts";
import { type ApplicationFiles, createApplicationFiles } from "./application-files.ts";

const header = JSON.stringify({ a: { dtype: "U8", shape: [4], data_offsets: [0, 4] } });
const modelOf = (fill: number): Buffer => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, Buffer.from(header), Buffer.alloc(4, fill)]);
};

let base: string;
let outside: string;
let files: ApplicationFiles;
const kept = new Map<string, Buffer>();

async function keep(filePath: string | null, bytes: Buffer) {
  const hasher = await blake3Stream()();
  hasher.update(bytes);
  const hash = hasher.digest();
  kept.set(hash, bytes);
  return { filePath, hash, size: bytes.length };
}

before(async () => {
  base = await mkdtemp(join(tmpdir(), "atelier-application-"));
  outside = await mkdtemp(join(tmpdir(), "atelier-outside-"));
  for (const folder of ["input", "output/sub", "temp", "models/loras", "custom_nodes"])
    await mkdir(join(base, folder), { recursive: true });
  await writeFile(join(outside, "secret.txt"), "secret");
  files = createApplicationFiles({
    baseFolder: base,
    blobs: {
      open: async (hash) => {
        const bytes = kept.get(hash);
        if (bytes === undefined) return null;
        return {
          size: bytes.length,
          stream: Readable.from([bytes]),
          source: { next: async () => null, close: async () => {} },
        };
      },
    },
  });
});
after(async () => {
  await rm(base, { recursive: true, force: true });
  await rm(outside, { recursive: true, force: true });
});

const partsOf = (name: string) => `.atelier-${createHash("sha256").update(name).digest("hex").slice(0, 16)}-`;
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing",
    (thrown: unknown) => (thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown)),
  );

async function bytesOf(filePath: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await files.open(filePath)).source) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a file that is there already", () => {
  test("is read from each of the four folders", async () => {
    for (const path of ["input/a.txt", "output/sub/a.txt", "temp/a.txt", "models/loras/a.txt"]) {
      await writeFile(join(base, path), path);
      assert.equal(await bytesOf(path), path);
    }
    assert.equal((await files.open("input/a.txt")).contentType, "text/plain");
  });
  test("is reported as missing if it does not exist", async () => {
    assert.equal(await codeOf(files.open("output/none.png")), "output_unavailable");
  });
  test("is not read through a link that leads out, as a file or on the way", async () => {
    await symlink(join(outside, "secret.txt"), join(base, "input", "link.txt"));
    await symlink(outside, join(base, "input", "way"));
    await symlink(join(base, "custom_nodes"), join(base, "output", "code"));
    await writeFile(join(base, "custom_nodes", "x.py"), "x");
    assert.equal(await codeOf(files.open("input/link.txt")), "forbidden");
    assert.equal(await codeOf(files.open("input/way/secret.txt")), "forbidden");
    assert.equal(await codeOf(files.open("output/code/x.py")), "forbidden");
  });
  test("is read through a link that stays within its folder", async () => {
    await writeFile(join(base, "output", "real.txt"), "real");
    await symlink(join(base, "output", "real.txt"), join(base, "output", "alias.txt"));
    assert.equal(await bytesOf("output/alias.txt"), "real");
  });
  test("is an ordinary file", async () => {
    assert.equal(await codeOf(files.open("output/sub")), "validation_failed");
  });
});

describe("a model", () => {
  test("is put in its place whole, with nothing left beside it, and is then known by its name", async () => {
    const asset = await keep("models/checkpoints/new/m.safetensors", modelOf(1));
    await files.requireTarget("models/checkpoints/new/m.safetensors");
    await files.put(asset);
    assert.deepEqual(await readFile(join(base, "models/checkpoints/new/m.safetensors")), modelOf(1));
    assert.deepEqual(await readdir(join(base, "models/checkpoints/new")), ["m.safetensors"]);
    assert.equal(await files.nameOf(asset), "new/m.safetensors");
  });
  test("that is there already is left as it is; another of that name is never written over", async () => {
    await files.put(await keep("models/vae/v.safetensors", modelOf(1)));
    await files.put(await keep("models/vae/v.safetensors", modelOf(1)));
    assert.equal(await codeOf(files.put(await keep("models/vae/v.safetensors", modelOf(2)))), "conflict");
    assert.deepEqual(await readFile(join(base, "models/vae/v.safetensors")), modelOf(1));
  });
  test("of twenty uploads under one name, one is stored whole and the others are refused", async () => {
    const requests = await Promise.all(
      Array.from({ length: 20 }, (_, fill) => keep("models/unet/race.safetensors", modelOf(fill))),
    );
    const codes = await Promise.all(requests.map((request) => codeOf(files.put(request))));
    assert.equal(codes.filter((code) => code === "nothing").length, 1);
    assert.equal(codes.filter((code) => code === "conflict").length, 19);
    assert.deepEqual(await readdir(join(base, "models/unet")), ["race.safetensors"]);
  });
  test("that two processes put in one place at the same time is one of theirs, whole, and nothing is left", async () => {
    const folder = join(base, "models/clip");
    const asked = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    async function* slowly(bytes: Buffer) {
      yield bytes.subarray(0, 20);
      asked.resolve();
      await goesOn.promise;
      yield bytes.subarray(20);
    }
    const [mine, other] = [await keep("models/clip/c.safetensors", modelOf(1)), modelOf(2)];
    const slow = createApplicationFiles({
      baseFolder: base,
      blobs: {
        open: async () => ({
          size: other.length,
          stream: Readable.from(slowly(other)),
          source: { next: async () => null, close: async () => {} },
        }),
      },
    });
    const late = codeOf(slow.put(await keep("models/clip/c.safetensors", other)));
    await asked.promise;
    // Left behind by a third process that was killed just now.
    await writeFile(join(folder, `${partsOf("c.safetensors")}${"0".repeat(16)}.partial`), "half");
    assert.equal((await readdir(folder)).length, 2);
    await files.put(mine);
    assert.deepEqual(await readdir(folder), ["c.safetensors"]);
    goesOn.resolve();
    assert.equal(await late, "conflict");
    assert.deepEqual(await readdir(folder), ["c.safetensors"]);
    assert.deepEqual(await readFile(join(folder, "c.safetensors")), modelOf(1));
  });
  test("whose upload fails removes only its own part, and parts idle for an hour", async () => {
    const folder = join(base, "models/embeddings");
    await mkdir(folder);
    const part = (digit: string) => join(folder, `${partsOf("e.safetensors")}${digit.repeat(16)}.partial`);
    for (const digit of ["1", "2"]) await writeFile(part(digit), "half");
    const hourAgo = Date.now() / 1000 - 3_700;
    await utimes(part("1"), hourAgo, hourAgo);
    const wrong = await keep("models/embeddings/e.safetensors", Buffer.from("no model"));
    assert.equal(await codeOf(files.put(wrong)), "validation_failed");
    assert.deepEqual(await readdir(folder), [basename(part("2"))]);
  });
  test("that is not a model leaves nothing behind", async () => {
    const asset = await keep("models/loras/bad.safetensors", Buffer.from("\x80\x02pickle pickle pickle", "latin1"));
    assert.equal(await codeOf(files.put(asset)), "validation_failed");
    assert.ok(!(await readdir(join(base, "models/loras"))).some((name) => name.includes("bad")));
  });
  test("is not put through a link that leads out", async () => {
    await symlink(outside, join(base, "models", "controlnet"));
    const asset = await keep("models/controlnet/x.safetensors", modelOf(3));
    assert.equal(await codeOf(files.put(asset)), "forbidden");
    assert.deepEqual(await readdir(outside), ["secret.txt"]);
  });
  test("that went missing is put back when a graph needs it", async () => {
    const asset = await keep("models/loras/back.safetensors", modelOf(4));
    await files.put(asset);
    await rm(join(base, "models/loras/back.safetensors"));
    assert.equal(await files.nameOf(asset), "back.safetensors");
    assert.deepEqual(await readFile(join(base, "models/loras/back.safetensors")), modelOf(4));
  });
});

describe("an asset", () => {
  test("is named only while the application has exactly its bytes", async () => {
    await writeFile(join(base, "output", "x.png"), "one");
    const asset = await keep("output/x.png", Buffer.from("one"));
    assert.equal(await files.nameOf(asset), "x.png [output]");
    await writeFile(join(base, "output", "x.png"), "two");
    assert.equal(await files.nameOf(asset), null);
    await rm(join(base, "output", "x.png"));
    assert.equal(await files.nameOf(asset), null);
    assert.equal(await files.nameOf(await keep("x.png", Buffer.from("one"))), null);
    assert.equal(await files.nameOf(await keep(null, Buffer.from("one"))), null);
  });
});

test("without the application's folder nothing is placed or read, and the refusal names the setting", async () => {
  const none = createApplicationFiles({ baseFolder: null, blobs: { open: async () => null } });
  await none.requireTarget("photo.png");
  await none.put(await keep("photo.png", Buffer.from("x")));
  assert.equal(await none.nameOf(await keep("output/x.png", Buffer.from("x"))), null);
  await assert.rejects(none.requireTarget("models/vae/x.safetensors"), /ATELIER_APPLICATION_FOLDER/);
  await assert.rejects(none.open("input/x.png"), /ATELIER_APPLICATION_FOLDER/);
});
