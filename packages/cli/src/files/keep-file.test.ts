import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { keepFile, replaceFile } from "./keep-file.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-keep-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("an existing file is never overwritten: the next number is used", async () => {
  writeFileSync(join(folder, "a.png"), "mine");
  const options = { folder, name: "a.png" };
  assert.equal(await keepFile("one", options), join(folder, "a_00002_.png"));
  const numbered = { folder, name: "picture_00009_.png" };
  const kept = [await keepFile("1", numbered), await keepFile("2", numbered), await keepFile("3", numbered)];
  const names = ["picture_00009_.png", "picture_00010_.png", "picture_00011_.png"];
  assert.deepEqual(
    kept,
    names.map((name) => join(folder, name)),
    "numbered on as applications do",
  );
  assert.equal(await keepFile("two", options), join(folder, "a_00003_.png"));
  assert.equal(readFileSync(join(folder, "a.png"), "utf8"), "mine");
  assert.equal(readFileSync(join(folder, "a_00003_.png"), "utf8"), "two");
});

test("concurrent savers get different names", async () => {
  const names = await Promise.all(
    Array.from({ length: 20 }, (_, index) => keepFile(String(index), { folder, name: "b" })),
  );
  assert.equal(new Set(names).size, 20);
});

test("a replaced file is the old one or the new one, and a broken stream leaves nothing behind", async () => {
  const path = join(folder, "c.txt");
  await replaceFile(path, "first");
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("half"));
      controller.error(new Error("cut off"));
    },
  });
  const before = readdirSync(folder).sort();
  await assert.rejects(replaceFile(path, broken), /cut off/);
  assert.equal(readFileSync(path, "utf8"), "first");
  assert.deepEqual(readdirSync(folder).sort(), before);
});

test("a replaced file keeps its permissions, and a link stays a link", async () => {
  const [real, link] = [join(folder, "real.txt"), join(folder, "link.txt")];
  writeFileSync(real, "old", { mode: 0o600 });
  symlinkSync(real, link);
  assert.equal(await replaceFile(link, "new"), link);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(real, "utf8"), "new");
  assert.equal(statSync(real).mode & 0o777, 0o600);
});

test("something that is not a regular file is written to and stays what it is", {
  skip: process.platform === "win32",
}, async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    await replaceFile(pipe, "through");
    const bytes = Buffer.alloc(16);
    assert.equal(bytes.toString("utf8", 0, readSync(reader, bytes)), "through");
    assert.ok(statSync(pipe).isFIFO());
  } finally {
    closeSync(reader);
    rmSync(pipe);
  }
});

test("however the program ends, nothing half-written stays", () => {
  const begun = join(folder, "begun.part");
  const text = `
    import { writeFileSync } from "node:fs";
    import { beginUnfinished } from ${JSON.stringify(import.meta.resolve("./unfinished.ts"))};
    beginUnfinished(${JSON.stringify(begun)});
    writeFileSync(${JSON.stringify(begun)}, "half");
    process.exit(130);`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", text], { timeout: 600_000 });
  assert.equal(ended.status, 130, String(ended.stderr));
  assert.equal(existsSync(begun), false);
});
