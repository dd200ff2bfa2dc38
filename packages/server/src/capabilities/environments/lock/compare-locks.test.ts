import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compareLocks, differenceText } from "./compare-locks.ts";
import { type EnvironmentLock, isInsidePath, lockId } from "./environment-lock.ts";
import { readLock } from "./read-lock.ts";

const hash = (digit: string) => digit.repeat(64);

const base: EnvironmentLock = {
  atelier_lock: 1,
  application: { version: "0.30.0", commit: "a".repeat(40) },
  packs: [
    {
      name: "studio-nodes",
      id: "studio-nodes",
      version: "1.0.0",
      commit: null,
      files: [
        { path: "nodes.py", bytes: 10, sha256: hash("1") },
        { path: "util.py", bytes: 20, sha256: hash("2") },
      ],
    },
  ],
  python: { version: "3.12.4", packages: { numpy: "2.1.0", torch: "2.8.0" } },
  weights: [{ path: "checkpoints/base.safetensors", bytes: 4096, sha256: hash("3"), blake3: hash("4") }],
  classes: { KSampler: "0a" },
  arguments: ["--force-fp16"],
};

const texts = (to: EnvironmentLock) => compareLocks(base, to).map(differenceText);
const [pack] = base.packs;
const [weight] = base.weights;
assert.ok(pack && weight);

describe("the difference between two locks", () => {
  test("is empty for equal ones, however they were written", () => {
    const shuffled: EnvironmentLock = JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(base).reverse())));
    assert.deepEqual(compareLocks(base, shuffled), []);
    assert.equal(lockId(shuffled), lockId(base));
  });

  test("names the file of a pack in which one byte changed", () => {
    const [nodes, util] = pack.files;
    assert.ok(nodes && util);
    const changed = { ...pack, files: [nodes, { ...util, sha256: hash("9") }] };
    assert.deepEqual(texts({ ...base, packs: [changed] }), ["pack studio-nodes: util.py changed"]);
  });

  test("tells a new version, added and removed files and the rest as a number", () => {
    const files = ["a.py", "b.py", "c.py", "d.py"].map((path) => ({ path, bytes: 1, sha256: hash("5") }));
    assert.deepEqual(texts({ ...base, packs: [{ ...pack, version: "1.1.0", files }] }), [
      "pack studio-nodes: 1.0.0 → 1.1.0; a.py added, b.py added, c.py added and 3 more",
    ]);
  });

  test("tells weights of the same size apart by their bytes", () => {
    const other = { ...weight, blake3: hash("8"), sha256: hash("8") };
    assert.deepEqual(texts({ ...base, weights: [other] }), [
      "weight checkpoints/base.safetensors: other bytes of the same size (4.0 KiB)",
    ]);
    assert.deepEqual(texts({ ...base, weights: [] }), ["weight checkpoints/base.safetensors: removed (4.0 KiB)"]);
  });

  test("covers application, Python, classes and arguments", () => {
    const to: EnvironmentLock = {
      ...base,
      application: { version: "0.31.0", commit: null },
      python: { version: "3.13.0", packages: { torch: "2.9.0", triton: "3.0.0" } },
      classes: { KSampler: "0b" },
      arguments: [],
    };
    assert.deepEqual(texts(to), [
      "application: 0.30.0 → 0.31.0; commit aaaaaaaaaa → none",
      "python itself: 3.12.4 → 3.13.0",
      "python numpy: removed (2.1.0)",
      "python torch: 2.8.0 → 2.9.0",
      "python triton: added (3.0.0)",
      "class KSampler: other inputs or outputs",
      "argument --force-fp16: removed",
    ]);
  });

  test("leaves out what one of the two does not know", () => {
    assert.deepEqual(texts({ ...base, python: null, classes: null, arguments: null }), []);
  });
});

describe("a lock that someone else wrote", () => {
  test("is accepted as written", () => {
    assert.deepEqual(readLock(JSON.parse(JSON.stringify(base))), base);
  });

  for (const path of ["../secrets", "/etc/passwd", "a/../../b", "a\\b", "C:evil", "a//b", "./a", "nul\0"])
    test(`is refused if it names ${JSON.stringify(path)}`, () => {
      assert.throws(() => readLock({ ...base, weights: [{ ...weight, path }] }), /leads outside of its folder/);
      assert.throws(() => readLock({ ...base, packs: [{ ...pack, name: path }] }), /leads outside|damaged/);
    });

  test("is refused if it is another kind of file, damaged, newer, unordered or names a file twice", () => {
    assert.throws(() => readLock([]), /not a lock/);
    assert.throws(() => readLock({ nodes: [] }), /not a lock/);
    assert.throws(() => readLock({ ...base, atelier_lock: 2 }), /newer version/);
    assert.throws(() => readLock({ ...base, weights: "all" }), /damaged at \/weights/);
    assert.throws(() => readLock({ ...base, surprise: 1 }), /damaged at \/surprise/);
    assert.throws(() => readLock({ ...base, weights: [weight, weight] }), /out of order or listed twice/);
  });

  test("never leads a path outside, whatever it is made of", () => {
    const piece = fc.constantFrom("..", ".", "", "a", "/", "\\", "b.py", "C:", "\0");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const path = pieces.join("/");
        if (!isInsidePath(path)) return;
        const { pathname } = new URL(path, "file:///root/folder/");
        assert.ok(pathname.startsWith("/root/folder/"), path);
      }),
    );
  });
});
