// Locks of a small application on disk, with the machine's own Python.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { compareLocks, differenceText } from "../lock/compare-locks.ts";
import { lockId } from "../lock/environment-lock.ts";
import { readLock } from "../lock/read-lock.ts";
import { gitCommit } from "./git-commit.ts";
import { FileChanged, type Hasher, openHashing } from "./hash-files.ts";
import { listFiles } from "./list-files.ts";
import { type LockRequest, makeLock, NoApplication } from "./make-lock.ts";
import { effectiveArguments } from "./start-arguments.ts";

let root: string;

before(async () => {
  root = await mkdtemp(join(tmpdir(), "atelier-lock-"));
});
after(() => rm(root, { recursive: true, force: true }));

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    const at = join(root, folder, path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, text);
  }
  return join(root, folder);
}

const application = {
  "comfyui_version.py": '# generated\n__version__ = "0.30.0"\n',
  "models/checkpoints/base.safetensors": "weights",
  "models/loras/put_loras_here": "",
  "models/vae/half.safetensors.part": "half",
  "custom_nodes/studio/__init__.py": "NODE_CLASS_MAPPINGS = {}\n",
  "custom_nodes/studio/pyproject.toml": '[project]\nname = "studio-nodes"\nversion = "1.2.0"\n',
  "custom_nodes/studio/__pycache__/x.pyc": "junk",
  "custom_nodes/single.py": "x = 1\n",
  "custom_nodes/old.disabled/__init__.py": "",
  "custom_nodes/example_node.py.example": "",
};

// Any hash will do here; blobs test theirs.
const blake3 = async (): Promise<Hasher> => {
  const hasher = createHash("sha3-256");
  return { update: (bytes) => void hasher.update(bytes), digest: () => hasher.digest("hex") };
};

const request = (folder: string, more: Partial<LockRequest> = {}): LockRequest => ({
  folder,
  weightFolders: [],
  python: null,
  running: null,
  memory: null,
  blake3,
  ...more,
});

describe("a lock of an application's folder", () => {
  test("has its version, the packs it would load and its weights, and can be read again", async () => {
    const folder = await put("whole", application);
    const lock = await makeLock(request(folder));
    assert.equal(lock.application.version, "0.30.0");
    assert.deepEqual(
      lock.packs.map(({ name, id, version, files }) => [name, id, version, files.map(({ path }) => path)]),
      [
        ["single.py", null, null, ["single.py"]],
        ["studio", "studio-nodes", "1.2.0", ["__init__.py", "pyproject.toml"]],
      ],
    );
    assert.deepEqual(
      lock.weights.map(({ path, bytes, sha256 }) => [path, bytes, sha256]),
      [["checkpoints/base.safetensors", 7, createHash("sha256").update("weights").digest("hex")]],
    );
    assert.deepEqual(readLock(JSON.parse(JSON.stringify(lock))), lock);
  });

  test("is the same on a second machine, and names the file in which one byte differs", async () => {
    const [first, second] = [await put("one", application), await put("two", application)];
    const [a, b] = [await makeLock(request(first)), await makeLock(request(second))];
    assert.equal(lockId(a), lockId(b));
    await appendFile(join(second, "custom_nodes/studio/__init__.py"), "#");
    const drift = compareLocks(a, await makeLock(request(second)));
    assert.deepEqual(drift.map(differenceText), ["pack studio: __init__.py changed"]);
  });

  const python = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "python3 is not installed" };
  test("lists Python's packages without importing them", python, async () => {
    const folder = await put("python", application);
    const { python } = await makeLock(request(folder, { python: { path: "python3", env: process.env } }));
    assert.match(python?.version ?? "", /^3\.\d+\.\d+/);
  });

  test("follows a link to another disk, and ends where links go in a circle", async () => {
    const folder = await put("links", application);
    const elsewhere = await put("disk", { "big.safetensors": "far away" });
    await symlink(elsewhere, join(folder, "models/checkpoints/disk"));
    await symlink(join(folder, "models"), join(folder, "models/checkpoints/circle"));
    const paths = (await makeLock(request(folder))).weights.map(({ path }) => path);
    assert.deepEqual(paths, ["checkpoints/base.safetensors", "checkpoints/disk/big.safetensors"]);
  });

  test("of a folder that is no application says so", async () => {
    const folder = await put("empty", { "readme.md": "" });
    await assert.rejects(makeLock(request(folder)), NoApplication);
    await assert.rejects(makeLock(request(join(root, "gone"))), NoApplication);
  });
});

describe("hashes", () => {
  test("are remembered: a second lock reads only what changed", async () => {
    const folder = await put("memory", application);
    const memory = join(root, "hashes");
    const read: number[] = [];
    const once = async () => {
      read.length = 0;
      await makeLock(request(folder, { memory, onProgress: ({ bytesRead }) => void read.push(bytesRead) }));
      return read.at(-1) ?? 0;
    };
    assert.ok((await once()) > 0);
    assert.equal(await once(), 0);
    await writeFile(join(folder, "models/checkpoints/base.safetensors"), "changed weights");
    assert.equal(await once(), "changed weights".length);
  });

  test("that were damaged on disk are taken again", async () => {
    const folder = await put("damaged", application);
    const memory = join(root, "damaged-hashes");
    const before = await makeLock(request(folder, { memory }));
    await writeFile(memory, "1:2:3:4 not hashes\n\0\0");
    assert.equal(lockId(await makeLock(request(folder, { memory }))), lockId(before));
  });

  test("of a file that changes or vanishes while it is read are refused", async () => {
    const folder = await put("moving", { "a/x.bin": "0123456789", "a/y.bin": "here" });
    const [x, y] = await listFiles({ folder, isSkipped: () => false, filesMax: 10 });
    assert.ok(x && y);
    const hashing = await openHashing({ blake3, memory: null });
    await truncate(x.file, 4);
    await utimes(x.file, 1, 1);
    await assert.rejects(hashing.hash(x), FileChanged);
    await rm(y.file);
    await assert.rejects(hashing.hash(y), FileChanged);
  });
});

test("the commit is read from the repository's own files, loose and packed", async () => {
  const folder = await put("repository", { "x.py": "" });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: folder })
      .toString()
      .trim();
  git("init", "--quiet");
  assert.equal(await gitCommit(folder), null);
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  const head = git("rev-parse", "HEAD");
  assert.equal(await gitCommit(folder), head);
  git("pack-refs", "--all");
  assert.equal(await gitCommit(folder), head);
  git("checkout", "--quiet", "--detach");
  assert.equal(await gitCommit(folder), head);
  assert.equal(await gitCommit(join(folder, "x.py")), null);
});

test("arguments count only if they decide results", () => {
  const argv = [
    "main.py",
    "--listen",
    "0.0.0.0",
    "--port",
    "8188",
    "--fast",
    "fp16",
    "cublas",
    "--output-directory",
    "/x",
    "--force-fp16",
  ];
  assert.deepEqual(effectiveArguments(argv), ["--fast fp16 cublas", "--force-fp16"]);
});
