import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { blake3OfBlob } from "@atelier/sdk/blake3";
import { craftZip, type ZipPart } from "../../../server/test/support/craft-zip.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { listFiles, pack } from "./node-archive.ts";
import { unpackNode } from "./unpack-node.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-unpack-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const streamOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]).stream();
const good: ZipPart = { name: "pyproject.toml", bytes: "name = 1\n" };

test("a packed node unpacks complete, under its name", async () => {
  const target = join(folder, "fine");
  const archive = craftZip([good, { name: "nodes/" }, { name: "nodes/a.py", bytes: "x = 1\n".repeat(1000) }]);
  assert.deepEqual(await unpackNode(streamOf(archive), target), { folder: target, files: 2 });
  assert.equal(readFileSync(join(target, "nodes/a.py"), "utf8").length, 6000);
  const { files } = listFiles(target, { toolName: "x", includes: [] });
  const [one, two] = [await pack(target, files), await pack(target, files)];
  assert.deepEqual(one, two, "the same files are the same bytes");
  await unpackNode(streamOf(one), join(folder, "again"));
  assert.deepEqual(readdirSync(join(folder, "again")).sort(), ["nodes", "pyproject.toml"]);
});

test("bytes other than the published ones are refused, and nothing is left behind", async () => {
  const archive = craftZip([good]);
  const hash = `blake3:${await blake3OfBlob(new Blob([new Uint8Array(archive)]))}`;
  const target = join(folder, "hashed");
  const other = craftZip([good, { name: "more.py", bytes: "eval(x)" }]);
  await assert.rejects(unpackNode(streamOf(other), target, hash), ClientProblem);
  assert.equal(existsSync(target), false);
  assert.equal((await unpackNode(streamOf(archive), target, hash)).files, 1);
});

test("an archive with one bad entry is refused whole, and nothing is left behind", async () => {
  const bad: Readonly<Record<string, readonly ZipPart[]>> = {
    escape: [{ name: "../evil.py", bytes: "x" }],
    "deep escape": [{ name: "a/../../evil.py", bytes: "x" }],
    absolute: [{ name: "/etc/evil", bytes: "x" }],
    drive: [{ name: "C:evil", bytes: "x" }],
    backslash: [{ name: "a\\..\\evil", bytes: "x" }],
    device: [{ name: "nul.txt", bytes: "x" }],
    link: [{ name: "link", bytes: "/etc/passwd", mode: 0o120777 }],
    twins: [
      { name: "A.py", bytes: "1" },
      { name: "a.py", bytes: "2" },
    ],
    encrypted: [{ name: "a", bytes: "x", flags: 0x801 }],
    "wrong checksum": [{ name: "a", bytes: "x", checksum: 7 }],
    "larger than it says": [{ name: "a", bytes: "x".repeat(5000), unpackedBytes: 10 }],
    "far too large": [
      { name: "a", bytes: "x", unpackedBytes: 0xfffffff0 },
      { name: "b", bytes: "x", unpackedBytes: 0xfffffff0 },
    ],
  };
  for (const [name, parts] of Object.entries(bad)) {
    const before = readdirSync(folder).sort();
    await assert.rejects(
      unpackNode(streamOf(craftZip([good, ...parts])), join(folder, "bad")),
      (error) => error instanceof ClientProblem && error.kind === "rejected_input",
      name,
    );
    assert.deepEqual(readdirSync(folder).sort(), before, name);
  }
  await assert.rejects(unpackNode(streamOf(Buffer.from("no archive")), join(folder, "bad")), /Not a valid archive/);
  assert.equal(existsSync(join(folder, "..", "evil.py")), false);
});

test("a folder that already exists is left alone", async () => {
  await assert.rejects(
    unpackNode(streamOf(craftZip([good])), join(folder, "fine")),
    (error) => error instanceof ClientProblem && error.kind === "usage",
  );
});
